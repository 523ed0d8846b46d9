// Builds every gate and limit from the configuration: the one object the edges ask. Called by entry.

import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import { ForgeError } from '#kernel/forge-error.ts';
import type { Registry } from '#kernel/metrics.ts';
import { shadowLimits } from '#kernel/settings.ts';
import type { AdmissionRequest } from '#admission/admission-request.ts';
import { ConcurrencyLimit, type LimitKey } from '#admission/concurrency-limit.ts';
import type {
  ConcurrencyDefinition,
  DeclaredLimit,
  RateDefinition,
  ValueDefinition,
} from '#admission/define-limit.ts';
import { Gate } from '#admission/gate.ts';
import type { LimitMode } from '#admission/limit-monitor.ts';
import * as declared from '#admission/limits.ts';
import { createLimitMonitor, type LimitObjects, registerLimitGauges } from '#admission/metrics.ts';
import { RateLimit } from '#admission/rate-limit.ts';
import { ValueLimit } from '#admission/value-limit.ts';

export type Admission = {
  readonly gitHttp: Gate;
  readonly gitPush: Gate;
  readonly gitSsh: Gate;
  readonly gitPage: Gate;
  readonly httpRequests: Gate;
  readonly sshConnections: Gate;
  readonly passwordChecks: Gate;
  readonly gitDuration: ValueLimit;
  readonly pushBytes: ValueLimit;
  readonly requestInflatedBytes: ValueLimit;
  readonly repositoryBytes: ValueLimit;
  readonly diskFreeBytes: ValueLimit;
  readonly apiRate: RateLimit;
  /** Every limit there is, for metrics and the table of `warren limits`. */
  readonly objects: LimitObjects;
  /** Refuses new git work from now on with reason shutdown; what was let in may finish. */
  close(): void;
};

const wholePod = 'pod';

export function createAdmission(options: {
  readonly config: Config;
  readonly registry: Registry;
  readonly clock: Clock;
}): Admission {
  const { config, registry, clock } = options;
  const shadowed = config.get(shadowLimits);
  const unknown = shadowed.find((name) => !declared.allLimits.some((limit) => limit.name === name));
  if (unknown !== undefined) {
    const sentence = `WARREN_LIMIT_SHADOW: "${unknown}" is no limit`;
    throw new ForgeError('CONFIG_INVALID', { problems: [sentence], sentence });
  }
  const modeOf = (name: string): LimitMode => (shadowed.includes(name) ? 'shadow' : 'enforce');
  const monitor = createLimitMonitor(registry, declared.allLimits, modeOf);

  const concurrency: ConcurrencyLimit[] = [];
  const gates: Gate[] = [];
  const values: ValueLimit[] = [];

  function makeLimit(
    definition: DeclaredLimit<ConcurrencyDefinition>,
    keyOf: (request: AdmissionRequest, slots: number) => LimitKey | undefined,
  ): ConcurrencyLimit {
    const slots = slotsOf(config, definition);
    const limit = new ConcurrencyLimit({
      definition,
      slots,
      mode: modeOf(definition.name),
      clock,
      keyOf: (request) => keyOf(request, slots),
    });
    concurrency.push(limit);
    return limit;
  }
  function makeGate(
    definition: DeclaredLimit<ConcurrencyDefinition>,
    ...others: ConcurrencyLimit[]
  ): Gate {
    const limit = makeLimit(definition, (_, slots) => ({ key: wholePod, slots }));
    const { queue, waitMs } = definition.settings;
    const gate = new Gate({
      limits: [limit, ...others],
      queueSlots: queue === undefined ? 0 : config.get(queue) || limit.slots,
      waitMs: waitMs === undefined ? 0 : config.get(waitMs),
      monitor,
      clock,
    });
    gates.push(gate);
    return gate;
  }
  function makeValue(definition: DeclaredLimit<ValueDefinition>): ValueLimit {
    const { value } = definition.settings;
    const limit = new ValueLimit(definition, value === undefined ? 0 : config.get(value), monitor);
    values.push(limit);
    return limit;
  }
  const perClient = (definition: DeclaredLimit<ConcurrencyDefinition>) =>
    makeLimit(definition, ({ clientKey }, slots) => ({ key: clientKey, slots }));

  const anonymousOnly = makeLimit(declared.gitHttpAnonymous, (request, slots) =>
    request.class.startsWith('anon') ? { key: wholePod, slots } : undefined,
  );
  const repository = makeLimit(declared.repositoryGit, ({ repository: r }) =>
    r?.concurrency === undefined ? undefined : { key: r.id, slots: r.concurrency },
  );
  const repositoryClient = makeLimit(
    declared.repositoryGitClient,
    ({ repository: r, clientKey }) =>
      r?.perClientConcurrency === undefined
        ? undefined
        : { key: `${r.id} ${clientKey}`, slots: r.perClientConcurrency },
  );
  const repositoryLimits = [repository, repositoryClient];

  const admission = {
    gitHttp: makeGate(
      declared.gitHttp,
      anonymousOnly,
      perClient(declared.gitHttpClient),
      ...repositoryLimits,
    ),
    gitPush: makeGate(declared.gitPush, perClient(declared.gitPushClient)),
    gitSsh: makeGate(declared.gitSsh, perClient(declared.gitSshClient), ...repositoryLimits),
    gitPage: makeGate(declared.gitPage),
    httpRequests: makeGate(declared.httpRequests, perClient(declared.httpRequestsClient)),
    sshConnections: makeGate(declared.sshConnections, perClient(declared.sshConnectionsClient)),
    passwordChecks: makeGate(declared.passwordChecks),
    gitDuration: makeValue(declared.gitDuration),
    pushBytes: makeValue(declared.pushBytes),
    requestInflatedBytes: makeValue(declared.requestInflatedBytes),
    repositoryBytes: makeValue(declared.repositoryBytes),
    diskFreeBytes: makeValue(declared.diskFreeBytes),
    apiRate: makeRate(declared.apiRate),
  };
  function makeRate(definition: DeclaredLimit<RateDefinition>): RateLimit {
    const { value, burst } = definition.settings;
    return new RateLimit({
      definition,
      perSecond: value === undefined ? definition.perSecond : config.get(value),
      burst: burst === undefined ? definition.burst : config.get(burst),
      mode: modeOf(definition.name),
      monitor,
      clock,
    });
  }
  const objects = { concurrency, gates, values, rates: [admission.apiRate] };
  registerLimitGauges(registry, objects, { clock, modeOf });
  return {
    ...admission,
    objects,
    close() {
      const { gitHttp, gitPush, gitSsh, sshConnections } = admission;
      for (const gate of [gitHttp, gitPush, gitSsh, sshConnections]) gate.close();
    },
  };
}

/** The configured slots; a limit without its own number follows the one it names. */
function slotsOf(config: Config, definition: DeclaredLimit<ConcurrencyDefinition>): number {
  const { value } = definition.settings;
  if (value === undefined) return 0;
  const own = config.get(value);
  if (own > 0) return own;
  const followed = declared.allLimits.find((limit) => limit.name === definition.slots);
  return followed?.settings.value === undefined ? 0 : config.get(followed.settings.value);
}
