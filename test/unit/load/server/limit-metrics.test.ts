import { describe, expect, it } from 'vitest';
import { limitReadingOf, parseExposition, totalRefusals } from '#load/server/limit-metrics.ts';

const text = `# HELP warren_limit_slots_in_use Slots held
# TYPE warren_limit_slots_in_use gauge
warren_limit_slots_in_use{limit="git_http",class="anon_costly"} 9
warren_limit_slots_in_use{limit="git_http",class="auth_read"} 3
warren_limit_slots_in_use{limit="git_push",class="auth_write"} 5
warren_limit_refusals_total{limit="git_http",class="anon_costly",reason="queue_full",mode="enforce"} 40
warren_limit_refusals_total{limit="git_http",class="anon_costly",reason="queue_full",mode="shadow"} 1000
warren_limit_refusals_total{limit="git_http_client",class="anon_costly",reason="client_share",mode="enforce"} 2
warren_limit_refusals_total{limit="git_push",class="auth_write",reason="queue_full",mode="enforce"} 7
`;

describe('the reading of a limit', () => {
  it('adds up classes, and leaves out other limits and shadow refusals', () => {
    const reading = limitReadingOf(parseExposition(text));
    expect(reading).toEqual({ slotsInUse: 12, refusals: { git_http: 40, git_http_client: 2 } });
    expect(totalRefusals(reading)).toBe(42);
  });
});
