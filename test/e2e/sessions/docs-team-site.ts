import { keys } from '../terminal.js';
import { signedIn } from './docs-team.js';
import type { Session } from './record.js';

const yes: readonly [string, string] = ['(y/N)', `y${keys.enter}`];

const welcome = ['--space', 'Welcome'];
const fixes = 'https://files.example/fixes';

/** A page whose links have gone out of date. */
const page = `printf '# Release\\n\\n[Quickstart](old/quickstart.md), [billing](old/billing.md).\\n' > release.md`;

const noClaims = '{"type":"object","properties":{},"additionalProperties":false}';

/** What a docs lead does with a site: its tree, a new arrangement, a version, broken links, adaptive content. */
export const docsTeamSite: Session = {
  textsOf: ['Welcome'],
  steps: (sandbox) => [
    ...signedIn(sandbox),
    { run: ['sites', 'tree', 'Acme Docs'] },
    { shell: '# in the editor: Guides gets the path /learn, and Developers becomes Build' },
    {
      run: ['sites', 'arrange', 'Acme Docs', '--redirects', 'redirects.csv'],
      env: { EDITOR: 'sed -i -e "s#/guides #/learn #" -e s/Developers/Build/' },
      answers: [yes],
    },
    { shell: 'head -n 2 redirects.csv' },
    {
      run: ['release', 'cut', '2.1', '--site', 'Acme Docs', '--from', 'API Reference', '--make-default'],
      answers: [yes],
    },
    { run: ['release', 'cut', '2.1', '--site', 'Acme Docs', '--from', 'API Reference', '--make-default'] },
    { run: ['sites', 'tree', 'Acme Docs', '--no-urls'] },
    { run: ['undo', 'last'], answers: [yes] },
    { shell: page, hidden: true },
    {
      run: ['content', 'import', 'https://files.example/release.md', '--source', 'markdown', ...welcome],
      hidden: true,
    },
    { run: ['links', 'fix', ...welcome] },
    { run: ['links', 'fix', ...welcome, '--match-titles', '--out', 'files.example/fixes'] },
    { shell: '# the folder is uploaded to files.example' },
    {
      run: ['links', 'fix', ...welcome, '--match-titles', '--as-change-request', '--import-base', fixes],
      answers: [yes],
    },
    { run: ['sites', 'schema', 'eval', 'Engineering Hub', '--claims', '{"oncall": false}', '--no-color'] },
    { shell: `cat > new.json <<'END'\n${noClaims}\nEND` },
    { run: ['sites', 'schema', 'diff', 'Engineering Hub', 'new.json', '--no-color'] },
    { run: ['sites', 'schema', 'set', 'Engineering Hub', '@new.json'] },
  ],
};
