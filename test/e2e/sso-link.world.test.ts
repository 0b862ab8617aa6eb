import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { forwardedHome } from './forwarded-home.js';
import { outcomes } from './job-home.js';
import { keys, type OnTerminal } from './terminal.js';
import { onTerminalHere } from './terminal-here.js';

/** `docs sso link`: killed and resumed, and with a person, whom it asks whether the canary could sign in. */

const { home, forwarder } = await forwardedHome();
const people = ['bruno', 'chiara', 'deniz', 'emil', 'farah'];
writeFileSync(join(home.path, 'users'), people.map((name) => `${name}@acme.example`).join('\n'));
const words = ['sso', 'link', '--from', 'users', '--canary', 'chiara@acme.example', '--batch', '2'];
const linked = async () => {
  const members = await home.json<{ sso: boolean; user: { email: string } }[]>(['members', 'list']);
  return members.filter(({ sso }) => sso).map(({ user }) => user.email.split('@')[0]);
};

test.each([1, 3, 5])('kill -9 at request %i: resuming links the rest, nobody twice', async (at) => {
  const running = home.begin([...words, '--yes']);
  // Done, and nobody hears of it.
  forwarder.onChange = (count) => {
    if (count < at) return 'pass';
    running.kill('SIGKILL');
    return 'lost after';
  };
  expect((await running.ended).signal).toBe('SIGKILL');
  await forwarder.idle();
  forwarder.onChange = () => 'pass';
  const resumed = await home.run(['jobs', 'resume', 'last']);
  expect({ code: resumed.code, stderr: resumed.stderr }).toMatchObject({ code: 0 });
  expect((await linked()).sort()).toEqual(people);
  expect(new Set(forwarder.done).size).toBe(5);
  expect(forwarder.done).toHaveLength(5);
  const found = [...outcomes(home.journalTexts().at(-1) ?? '').values()];
  expect(found).toEqual(people.map(() => ['ok']));
});

describe('on a terminal', () => {
  let terminal: OnTerminal;
  const begin = async () => {
    terminal = onTerminalHere(words, { env: home.env, cwd: home.path });
    await terminal.shows('Type 5 to go on:');
    expect(terminal.screen.text()).toContain('Linking has no inverse');
    terminal.type(`5${keys.enter}`);
    await terminal.shows('Could chiara@acme.example sign in with SSO?');
    expect(forwarder.done).toHaveLength(1);
  };

  test('the rest waits until the canary could sign in', async () => {
    await begin();
    terminal.type(`y${keys.enter}`);
    const { code, screen } = await terminal.ended;
    expect([code, screen]).toEqual([0, expect.stringContaining('Linked 5 members; reading each again')]);
    expect((await linked()).sort()).toEqual(people);
  });

  test('a canary who could not ends it, exit 3', async () => {
    await begin();
    terminal.type(`n${keys.enter}`);
    const { code, screen } = await terminal.ended;
    expect([code, screen]).toEqual([3, expect.stringContaining('4 other members not')]);
    expect(await linked()).toEqual(['chiara']);
  });

  test('an interrupted question says what is linked', async () => {
    await begin();
    terminal.type(keys.interrupt);
    expect((await terminal.ended).screen.replaceAll(/\s+/g, ' ')).toContain(
      'interrupted: the canary chiara@acme.example is linked; 4 other members not',
    );
    expect(await linked()).toEqual(['chiara']);
  });
});
