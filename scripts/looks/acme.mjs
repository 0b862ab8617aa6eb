import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The pages that commands write of the organization acme, each in the state that it is for: a plan of edits, two backups
 * with a deletion between them, a job, a rehearsal. Needs the built program.
 */

/** When the seed begins. */
export const start = Date.parse('2026-01-05T09:00:00Z');

/** A home with the seed acme. @param path default: a folder for temporary files */
export function acme(path = mkdtempSync(join(tmpdir(), 'acme-'))) {
  const program = resolve('bin', 'docs.js');
  const env = {
    HOME: path,
    PATH: process.env.PATH,
    DOCS_CREDENTIAL_STORE: 'file',
    DOCS_PAGER: 'cat',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
  };
  const options = { env: { ...env, CI: '1' }, cwd: path, encoding: 'utf8', maxBuffer: 1e8 };
  const docs = (...words) =>
    execFileSync(process.execPath, [program, ...words], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  docs('sandbox', 'seed', 'acme', '--quiet');
  return {
    ...{ path, env, program, docs },
    /** Writes the page of a command. @returns its path @throws where there is none, with what was said */
    page(name, words) {
      const file = join(path, `${name}.html`);
      rmSync(file, { force: true });
      const { stderr } = spawnSync(process.execPath, [program, '--sandbox', ...words(file)], options);
      if (!existsSync(file)) throw new Error(`${name}: ${stderr}`);
      return file;
    },
    idOf(list, title) {
      const found = JSON.parse(docs('--sandbox', ...list, '--json')).find((one) => one.title === title);
      if (found === undefined) throw new Error(`${title} is not among ${list.join(' ')}`);
      return found.id;
    },
    close: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Edits of the files: a team, roles, a setting that others see, and nine people alike. */
export function editFiles(path) {
  const edits = [
    ['teams', 'teams:\n', 'teams:\n  - key: press\n    title: Press\n'],
    ['teams', 'title: Billing Writers', 'title: Billing Authors'],
    [
      'people',
      '- email: aisha.roberts@acme.example\n    role: edit',
      '- email: aisha.roberts@acme.example\n    role: admin',
    ],
    ['library', 'title: Platform Guide', 'title: Platform Manual'],
    ['library', 'default_level: comment', 'default_level: edit'],
    ['sites/partner-portal', 'visibility: share-link', 'visibility: public'],
    ...Array.from({ length: 9 }, () => ['people', '    role: read\n', '    role: comment\n']),
  ];
  for (const [name, before, after] of edits) {
    const file = join(path, 'org', `${name}.yaml`);
    const text = readFileSync(file, 'utf8');
    if (!text.includes(before)) throw new Error(`${file}: ${before} not found`);
    writeFileSync(file, text.replace(before, after));
  }
}

/** Makes all pages. @returns their files by the command */
export function pagesOf(home, wanted = () => true) {
  const { docs, path } = home;
  const space = home.idOf(['spaces', 'list'], 'Product Guide');
  const html =
    (...words) =>
    (file) => [...words, '--html', file];
  const made = {};
  const add = (name, words) => {
    if (wanted(name)) made[name] = home.page(name, words);
  };
  add('overview', html('overview'));
  add('matrix', html('access', 'matrix'));
  add('map', html('orgs', 'map'));
  add('review', html('members', 'review'));
  add('links', html('links', 'check'));
  add('impact', html('impact', 'delete', 'space', space));
  add('sso', html('sso', 'readiness'));
  add('who', html('access', 'who', space));
  add('policy', policyPage(path));
  add('rehearsal', (file) => ['rehearse', '--html', file, '--', 'spaces', 'delete', space, '--yes']);
  docs('--sandbox', 'backup', 'run', '--out', 'backup', '--quiet');
  docs('--sandbox', 'pull', '--quiet');
  addChanges(add, html, home, space);
  return made;
}

/** Pages of what changes, and of what was changed. */
function addChanges(add, html, { docs, path, idOf }, space) {
  editFiles(path);
  const keep = (name, text) => writeFileSync(join(path, name), text);
  keep('before.json', docs('--sandbox', 'access', 'matrix', '--json'));
  add('plan', html('plan'));
  const changed = ['--space', idOf(['spaces', 'list'], 'Platform Handbook')];
  add('diff', (file) => ['change-requests', 'diff', '1', ...changed, '-o', 'html', '--out', file]);
  docs('--sandbox', 'apply', '--yes', '--quiet');
  add('job', html('jobs', 'show', 'last'));
  add('audit', html('audit', 'list'));
  docs('--sandbox', 'spaces', 'delete', space, '--yes', '--quiet');
  docs('--sandbox', 'teams', 'create', '--title', 'Press Desk', '--quiet');
  add('drift', html('plan', 'drift'));
  docs('--sandbox', 'backup', 'run', '--out', 'later', '--quiet');
  add('backup-diff', html('backup', 'diff', 'backup', 'later'));
  keep('after.json', docs('--sandbox', 'access', 'matrix', '--json'));
  add('access-diff', html('access', 'diff', 'before.json', 'after.json'));
  add('offboarding', html('members', 'offboard', 'aisha.roberts@acme.example', '--yes'));
}

function policyPage(path) {
  writeFileSync(join(path, 'policy.yaml'), policy);
  return (file) => ['policy', 'explain', 'policy.yaml', '--html', file];
}

const policy = `version: 1
deny: ["spaces delete", "members update role=admin"]
ask: ["sites *"]
`;
