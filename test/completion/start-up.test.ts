import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Shell } from '../../src/completion/scripts.js';
import { startupFile } from '../../src/completion/start-up.js';
import { run } from '../../src/main.js';
import { type FakeIo, type FakeOutput, fakeIo } from '../fake-io.js';

/** `docs completion <shell> --install`: what it says, what it writes, and how that goes again. */

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'docs-install-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function docs(...argv: string[]) {
  const io = fakeIo({ env: { HOME: home }, cwd: home });
  const code = await run(['completion', ...argv], io);
  return { code, out: (io.stdout as FakeOutput).text, err: (io.stderr as FakeOutput).text };
}

const bashrc = () => join(home, '.bashrc');
const block = `# >>> docs completion >>>
# Written by docs completion bash --install; --uninstall removes it.
_docs_load() {
  unset -f _docs_load
  eval "$(command docs completion bash 2>/dev/null)" && return 124
}
complete -F _docs_load docs
# <<< docs completion <<<
`;

describe('docs completion --install', () => {
  it('shows the lines and asks; without a terminal writes nothing', async () => {
    const ran = await docs('bash', '--install');
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(`Lines to add to ${bashrc()}:\n\n${block}`);
    expect(ran.err).toContain('Add --yes.');
    expect(existsSync(bashrc())).toBe(false);
  });

  it("appends them and keeps the file's mode and other lines", async () => {
    writeFileSync(bashrc(), 'alias ll="ls -l"\n');
    chmodSync(bashrc(), 0o640);
    expect(await docs('bash', '--install', '--yes')).toMatchObject({ code: 0, out: 'bash\tinstalled\n' });
    expect(readFileSync(bashrc(), 'utf8')).toBe(`alias ll="ls -l"\n\n${block}`);
    expect(statSync(bashrc()).mode & 0o777).toBe(0o640);
  });

  it('writes them once', async () => {
    await docs('bash', '--install', '--yes');
    expect(await docs('bash', '--install', '--yes')).toMatchObject({ code: 0, out: 'bash\tup-to-date\n' });
    expect(readFileSync(bashrc(), 'utf8')).toBe(block);
  });

  it('replaces old lines', async () => {
    writeFileSync(bashrc(), 'a\n# >>> docs completion >>>\nold\n# <<< docs completion <<<\nb\n');
    await docs('bash', '--install', '--yes');
    expect(readFileSync(bashrc(), 'utf8')).toBe(`a\n${block}b\n`);
  });

  it('finds them in a file that an editor has saved with the line ends of Windows', async () => {
    writeFileSync(bashrc(), 'a\r\n# >>> docs completion >>>\r\nold\r\n# <<< docs completion <<<\r\nb\r\n');
    await docs('bash', '--install', '--yes');
    expect(readFileSync(bashrc(), 'utf8')).toBe(`a\r\n${block}b\r\n`);
  });

  it('keeps each byte of a file that is not UTF-8, and leaves UTF-16 alone', async () => {
    const own = Buffer.from("alias grüße='ls'\n", 'latin1');
    writeFileSync(bashrc(), own);
    expect((await docs('bash', '--install', '--yes')).code).toBe(0);
    expect(readFileSync(bashrc()).subarray(0, own.length)).toEqual(own);
    expect((await docs('bash', '--uninstall', '--yes')).code).toBe(0);
    expect(readFileSync(bashrc())).toEqual(own);
    const profile = Buffer.from('\ufeff# mine\n', 'utf16le');
    writeFileSync(bashrc(), profile);
    const ran = await docs('bash', '--install', '--yes');
    expect({ code: ran.code, err: ran.err }).toEqual({ code: 13, err: expect.stringContaining('is UTF-16') });
    expect(readFileSync(bashrc())).toEqual(profile);
  });

  it('follows a symbolic link, common for dotfiles', async () => {
    writeFileSync(join(home, 'real'), 'a\n');
    symlinkSync(join(home, 'real'), bashrc());
    await docs('bash', '--install', '--yes');
    expect(lstatSync(bashrc()).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(home, 'real'), 'utf8')).toBe(`a\n\n${block}`);
  });

  it('writes the whole script for a shell without lazy loading', async () => {
    await docs('powershell', '--install', '--yes', '--file', 'profile.ps1');
    const text = readFileSync(join(home, 'profile.ps1'), 'utf8');
    expect(text).toContain('Register-ArgumentCompleter -Native -CommandName docs');
    expect(text).toContain('& docs __complete @before $current 2>$null');
    expect(text).not.toMatch(/Invoke-Expression|iex/i);
  });

  it('writes nothing with --dry-run', async () => {
    const ran = await docs('bash', '--install', '--dry-run', '--json');
    expect(JSON.parse(ran.out)).toEqual({ id: 'bash', status: 'not-written', path: bashrc() });
    expect(existsSync(bashrc())).toBe(false);
    const terminal = fakeIo({ env: { HOME: home }, cwd: home, terminals: ['stdout'] });
    await run(['completion', 'bash', '--install', '--dry-run'], terminal);
    expect(terminal.stdout.text).toContain(`Dry run: ${bashrc()} was not changed.`);
  });

  it('writes to the file given with --file', async () => {
    await docs('bash', '--install', '--yes', '--file', 'my.sh');
    expect(readFileSync(join(home, 'my.sh'), 'utf8')).toBe(block);
    expect(existsSync(bashrc())).toBe(false);
  });
});

describe('docs completion --uninstall', () => {
  it('removes its lines and nothing else', async () => {
    writeFileSync(bashrc(), 'alias ll="ls -l"\n');
    await docs('bash', '--install', '--yes');
    writeFileSync(bashrc(), `${readFileSync(bashrc(), 'utf8')}later\n`);
    expect(await docs('bash', '--uninstall', '--yes')).toMatchObject({ code: 0, out: 'bash\tuninstalled\n' });
    expect(readFileSync(bashrc(), 'utf8')).toBe('alias ll="ls -l"\nlater\n');
  });

  it('reports that there is nothing to remove', async () => {
    expect(await docs('zsh', '--uninstall', '--yes')).toMatchObject({ code: 0, out: 'zsh\tnot-installed\n' });
  });

  it('leaves a file with unmatched markers unchanged', async () => {
    writeFileSync(bashrc(), '# >>> docs completion >>>\nmine\n');
    const ran = await docs('bash', '--uninstall', '--yes');
    expect(ran.code).toBe(13);
    expect(readFileSync(bashrc(), 'utf8')).toBe('# >>> docs completion >>>\nmine\n');
  });
});

describe('the start-up file', () => {
  const at = (shell: Shell, platform: NodeJS.Platform, env: FakeIo['env'] = {}) => {
    const homes = { HOME: '/home/ada', USERPROFILE: 'C:\\Users\\ada' };
    return startupFile(shell, fakeIo({ platform, env: { ...homes, ...env } }));
  };

  it.each<[Shell, NodeJS.Platform, Record<string, string>, string]>([
    ['bash', 'linux', {}, '/home/ada/.bashrc'],
    ['bash', 'darwin', {}, '/home/ada/.bash_profile'],
    ['zsh', 'linux', {}, '/home/ada/.zshrc'],
    ['zsh', 'linux', { ZDOTDIR: '/etc/ada' }, '/etc/ada/.zshrc'],
    ['fish', 'linux', {}, '/home/ada/.config/fish/completions/docs.fish'],
    ['fish', 'linux', { XDG_CONFIG_HOME: '/conf' }, '/conf/fish/completions/docs.fish'],
    ['powershell', 'linux', {}, '/home/ada/.config/powershell/Microsoft.PowerShell_profile.ps1'],
    ['powershell', 'win32', {}, 'C:\\Users\\ada\\Documents\\PowerShell\\Microsoft.PowerShell_profile.ps1'],
  ])('of %s on %s with %o is %s', (shell, platform, env, path) => {
    expect(at(shell, platform, env)).toBe(path);
  });
});

describe('docs completion', () => {
  it('lists the shells if none or an unknown one is given', async () => {
    expect(await docs()).toMatchObject({
      code: 2,
      err: expect.stringContaining('bash, zsh, fish, powershell'),
    });
    expect((await docs('tcsh')).err).toContain(
      '<shell> must be one of bash, zsh, fish, powershell, not "tcsh"',
    );
  });

  it('refuses --install with --uninstall, and --file alone', async () => {
    mkdirSync(join(home, 'x'));
    expect((await docs('bash', '--install', '--uninstall')).code).toBe(2);
    expect((await docs('bash', '--file', 'x')).code).toBe(2);
  });
});
