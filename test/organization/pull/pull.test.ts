import { describe, expect, it } from 'vitest';
import { acme, newFolder } from './world.js';

describe('pull into an empty folder', () => {
  it('writes every file', async () => {
    const folder = newFolder();
    const { live } = acme();
    const { written } = await folder.pull(live());
    console.log(written);
    for (const [name, text] of Object.entries(folder.texts())) console.log(`--- ${name}\n${text}`);
    console.log(JSON.stringify(folder.lock(), null, 1).length);
    const again = await folder.pull(live()).catch((e) => {
      console.log(e.failure.lines);
      throw e;
    });
    expect(again).toEqual({ written: [], kept: [], lock: [] });
    folder.remove();
  });
});
