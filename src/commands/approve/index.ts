import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { fullOption } from '../../cli/declare/flags.js';
import { option } from '../../cli/declare/option.js';
import { closed, stateOf, text } from '../../output/printed-shapes.js';
import { planFile } from '../shared/organization-files.js';

export const approve = manual({
  name: 'approve',
  summary: 'Approve a plan when a policy requires it',
  guide: 'approvals',
  why:
    'Shows the whole plan and the items it changes, asks, and adds a signature by your SSH key to ' +
    '<plan>.approvals, which docs apply verifies; sends only reads. Needs a terminal and someone other ' +
    'than the author of the plan; --yes does not replace them.',
  args: { '<plan>': planFile('writes') },
  options: [
    option('--key <file>', 'SSH key to sign with; default: the one in ~/.ssh that the policy names', {
      path: { use: 'reads' },
    }),
    option('--email <mail>', 'Approve as this person, if the policy names the key for several'),
    fullOption,
  ],
  returns: closed({
    id: Type.String({ description: 'Id of the plan' }),
    status: stateOf('approved', 'already-approved'),
    file: Type.String({ description: 'The file with the approvals' }),
    hash: Type.String({ description: 'Hash of the plan' }),
    email: text,
    when: Type.String({ description: 'ISO 8601' }),
    host: text,
    key: Type.String({ description: 'Fingerprint of the key: SHA256:…' }),
    missing: Type.Integer({ description: 'Approvals that are missing before it can be applied' }),
    policies: Type.Array(Type.String(), { description: 'Hashes of the policies that name the key' }),
  }),
  examples: {
    'plan approve plan.json': 'look at a plan, and approve it',
    'plan approve plan.json --key ~/.ssh/id_work': 'choose the key to sign with',
  },
  danger: 'change',
  here: { keeps: ['journals'], runs: ['ssh-keygen'] },
  local: true,
  tolerant: false,
  async run(session, input, { groups }) {
    await (await import('./approve.js')).approvePlan(session, input, groups);
  },
});
