import { keys } from '../terminal.js';
import { signedIn } from './docs-team.js';
import type { Session } from './record.js';

/** The organization as files: pulled, edited, planned, applied; what somebody changed by hand; taken back. */
export const orgAsCode: Session = {
  textsOf: [],
  steps: (sandbox) => [
    ...signedIn(sandbox),
    { run: ['pull'] },
    { shell: 'ls org' },
    { shell: "printf '  - key: translators\\n    title: Translators\\n' >> org/teams.yaml" },
    { shell: "sed -i 's/Acme Docs Next/Acme Docs Beta/' org/sites/acme-docs-next.yaml" },
    { shell: "sed -i '/akira.tan@/,/teams/s/role: comment/role: edit/' org/people.yaml" },
    { shell: "sed -i '/aisha.horvat@/,/teams/s/writers/&, translators/' org/people.yaml" },
    { run: ['plan'] },
    { run: ['apply'], answers: [['(y/N)', `y${keys.enter}`]] },
    { shell: '# a week later, somebody renames a team in the app' },
    { run: ['teams', 'update', 'Writers', '--title', 'Authors', '--yes'], hidden: true },
    { run: ['drift'] },
    { run: ['pull', '--only', 'drift'] },
    { run: ['drift'] },
    { shell: '# the site should not have been renamed: take the job back' },
    { run: ['jobs', 'list', '--fields', 'command,state,total,id'] },
    { run: ['undo', 'last'], answers: [['(y/N)', `y${keys.enter}`]] },
  ],
};
