import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { fullOption } from '../../cli/declare/flags.js';
import { option } from '../../cli/declare/global-flags.js';
import { closed, stateOf, text } from '../../output/printed-shapes.js';
import { planFile } from '../shared/organization-files.js';

export const approve = manual({
  name: 'approve',
  summary: 'Approve a plan where a policy requires it',
  guide: 'approvals',
  why:
    'Reads what the plan is about with your token, shows all of it, asks, and adds a signature with your SSH key ' +
    'to <plan>.approvals, which docs apply verifies against the keys that the policy names; sends only reads. ' +
    'Needs a terminal and a person who did not make the plan themselves, which --yes does not replace.',
  args: { '<plan>': planFile('writes') },
  options: [
    option('--key <file>', 'SSH key to sign with; default: the one in ~/.ssh that the policy names', {
      path: { use: 'reads' },
    }),
    option('--email <mail>', 'Whose approval it is, where the policy names the key for several people'),
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
