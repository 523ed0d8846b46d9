// docs/cli.md, from the commands' own help: `npm run gen` writes it, test/contract/cli.test.ts keeps it equal.
import { commandGroups, commands } from '#entry/commands/command-list.ts';
import { renderCommandHelp, renderOverview } from '#entry/commands/render-help.ts';

const introduction = `# The command line

Every text below is what the program prints for \`--help\`; this file is written by \`npm run gen\`. In a checkout the
program is \`npx warren\`, or \`npm run warren --\`.

## Which server, and as whom

Commands talk to the server's API. It is the one that \`--url\` or \`WARREN_URL\` names, else the one that runs on the data
directory (\`WARREN_DATA_DIR\`, \`./data\` when not set). You are whoever the token belongs to: \`--token\` or \`WARREN_TOKEN\`,
else the \`admin-token\` of the data directory. That file's token is sent only to the server of its own directory: with
another address, give a token, or be anonymous.

## For scripts

- Exit codes: 0 done, 1 it failed, 2 the command line was not understood. Interrupted by Ctrl-C, the program ends by that
  signal (a shell shows 130).
- Results go to stdout; sentences, progress and hints go to stderr.
- \`--json\` prints what the API answers, as \`/api/v1/openapi.json\` describes it; a list is \`{"items": […]}\`. Fields are added,
  not renamed or removed.
- Colors and bars are for terminals, and \`NO_COLOR\` turns colors off.
- Reading is tried again for a moment while the server is busy (429, 503); a change is sent once.
`;

/** The whole file. */
export function renderCliDocs(): string {
  const sections = commands.map(
    (command) => `## warren ${command.name}\n\n${block(renderCommandHelp(command))}`,
  );
  const overview = `## warren\n\n${block(renderOverview(commands, commandGroups))}`;
  return `${[introduction.trimEnd(), overview, ...sections].join('\n\n')}\n`;
}

function block(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}
