import { Type } from '../api/type.js';
import { manual } from '../cli/declare/define.js';
import { option } from '../cli/declare/flags.js';
import { kindNames } from '../organization/model.js';
import { closed, oneOf, text } from '../output/printed-shapes.js';
import { reads } from './plan/operations.js';
import { folderOptions } from './plan/options.js';

export const pull = manual({
  name: 'pull',
  summary: 'Pull the organization into files',
  guide: 'organization-as-code',
  why:
    'Writes settings, people, teams, the library and sites into a folder of YAML; later, what changed on the ' +
    'platform since. Keeps comments, order and references, lists edited items instead of overwriting them, and ' +
    'sends nothing but GET.',
  options: [
    option('--only <which>', 'Only what was changed by hand since the last apply', {
      choices: ['drift'],
      closed: true,
    }),
    option('--take <live=key>...', 'Overwrite an edited item: live=teams/writers'),
    ...folderOptions(),
  ],
  operations: reads,
  returns: closed({
    id: text,
    status: oneOf('pulled', 'unchanged', 'partial', 'planned'),
    written: Type.Array(text),
    kept: Type.Array(closed({ item: text, file: text, line: Type.Integer(), why: text })),
    left: Type.Array(text, { description: 'Items that left the files and are still on the platform' }),
    unread: Type.Array(closed({ kind: oneOf(...kindNames), message: text })),
  }),
  columns: ['id', 'status', 'written', 'kept'],
  examples: {
    pull: 'write the organization into the folder org',
    'pull --only drift': 'take over what was changed by hand',
    'pull --take live=teams/writers': 'give up an edit of a team',
  },
  danger: 'change',
  effect: 'local',
  async run(session, input, { view }) {
    await (await import('./plan/pull.js')).pullFolder(session, input, view);
  },
});
