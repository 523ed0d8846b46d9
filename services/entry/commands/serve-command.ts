// `warren serve`: hands over to serve.ts, which is loaded only then so that other commands start fast.

import { suggestName } from '#catalog/closest-name.ts';
import { serviceNames } from '#kernel/settings.ts';
import { type Command, done, failed, usage } from '#entry/commands/command.ts';

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Runs the server, until Ctrl-C.',
  details: [
    'Settings come from the environment (WARREN_…). On a terminal it prints what to do next, otherwise one JSON line when it is ready. SIGTERM or Ctrl-C lets running clones and pushes finish first.',
  ],
  options: [
    {
      name: 'services',
      value: 'LIST',
      text: `Only these of ${serviceNames.join(', ')}; all of them when not given.`,
    },
  ],
  isClient: false,
  examples: ['warren serve', 'WARREN_HTTP_PORT=9000 warren serve --services transport,metadata'],
  async run({ given, io }) {
    const list = given.option('services');
    const known: readonly string[] = serviceNames;
    const wrong = list
      ?.split(',')
      .map((name) => name.trim())
      .find((name) => !known.includes(name));
    if (wrong !== undefined) {
      return usage(`There is no service "${wrong}"${suggestName(wrong, known) || '.'}`);
    }
    const { serve } = await import('#entry/serve.ts');
    const args = list === undefined ? [] : ['--services', list];
    const { stdout, stderr } = process;
    const code = await serve(args, { env: io.env, stdout, stderr });
    return code === 0 ? done : failed();
  },
};
