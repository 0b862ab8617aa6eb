import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

/** Two clones of one state, as different people have them: in other folders, of another time, with another umask. */

const place = mkdtempSync(join(tmpdir(), 'docs-pack-'));
/** Thousands of files are copied, where the temporary folder may be on a slow disk. */
const patience = 300_000;
afterAll(() => rmSync(place, { recursive: true, force: true }), patience);

interface Locked {
  dev?: boolean;
  optional?: boolean;
}

/** What the build reads of `node_modules`: what docs depends on, what is in pages of reports, and esbuild. */
function packagesOfTheBuild(): string[] {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> };
  const notice = readFileSync('NOTICE', 'utf8');
  const isRead = (path: string, { dev }: Locked): boolean =>
    dev !== true || /esbuild/.test(path) || notice.includes(`\n${path.replace('node_modules/', '')} `);
  // A package within another comes along with it.
  const own = Object.entries(lock.packages).filter(([path]) =>
    /^node_modules\/(?!.*node_modules\/)/.test(path),
  );
  return own.filter((entry) => isRead(...entry) && existsSync(entry[0])).map(([path]) => path);
}

/** @returns the sum of the tarball that is packed in the clone */
function packed(name: string, { umask, time, env }: { umask: string; time: string; env: object }): string {
  const root = join(place, name);
  mkdirSync(root, { recursive: true });
  const listed = join(place, 'listed');
  const own = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  const files = own.split('\n').filter((path) => path !== '' && existsSync(path));
  writeFileSync(listed, [...files, ...packagesOfTheBuild()].join('\n'));
  const copy = 'tar -cf - --mtime="$1" -T "$2" | (umask "$0"; tar -xf - --no-same-permissions -C "$3")';
  execFileSync('bash', ['-c', copy, umask, time, listed, root]);
  const pack = ['-c', 'umask "$0"; exec npm pack --silent --offline', umask];
  execFileSync('bash', pack, { cwd: root, env: { ...process.env, ...env }, stdio: 'pipe' });
  const [tarball = ''] = readdirSync(root).filter((file) => file.endsWith('.tgz'));
  return createHash('sha256')
    .update(readFileSync(join(root, tarball)))
    .digest('hex');
}

it(
  'npm pack gives the same bytes',
  () => {
    const one = packed('a', { umask: '022', time: '2020-02-29 12:00', env: { TZ: 'UTC', LANG: 'C.UTF-8' } });
    const other = packed('deep/er/b', {
      umask: '077',
      time: '2015-12-31 23:59',
      env: { TZ: 'Asia/Tokyo', LANG: 'de_DE.UTF-8' },
    });
    expect(other).toBe(one);
  },
  patience,
);
