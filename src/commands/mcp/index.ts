import { Type } from '../../api/type.js';
import type { Group } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption } from '../../cli/declare/flags.js';
import { option } from '../../cli/declare/option.js';

const serve = manual({
  name: 'serve',
  summary: 'Run the MCP server for agents: find, read, plan, apply',
  why:
    'Speaks the Model Context Protocol on standard input and output, or with --http on 127.0.0.1 with a ' +
    'token. Flags such as --profile and --org apply to every call; changes need a policy, or ' +
    '--allow-writes.',
  unpaged: true,
  options: [
    option('--http [port]', 'Serve over HTTP on 127.0.0.1, on this port or a free one', { number: true }),
    option('--files <folder>', 'Let calls name files in this folder; default: none', {
      path: { use: 'writes', later: true },
    }),
    option('--allow-writes', 'Let calls change something without a policy'),
    ...(['organizationId', 'spaceId', 'siteId'] as const).map(contextOption),
  ],
  returns: Type.Unknown({ description: 'Messages of the protocol' }),
  examples: {
    'mcp serve': 'serve a client that starts the server itself',
    'mcp serve --sandbox --allow-writes': 'let an agent try everything on a local copy of the platform',
    'mcp serve --http 4100 --files ./handbook': 'serve over HTTP, with files of one folder',
  },
  // A policy holds for each call, not for the server itself.
  actsHere: true,
  local: true,
  async run(session, input, around) {
    await (await import('./serve.js')).serve(session, input, around);
  },
});

export const mcp: Group = {
  name: 'mcp',
  noun: 'server',
  summary: 'Serve agents by MCP; install the skill',
  guide: 'agents mcp',
  why: 'An agent may read and plan; changes need a policy, and an approval if the policy requires one.',
  commands: [serve],
};
