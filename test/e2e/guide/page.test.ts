import { describe, expect, it } from 'vitest';
import { blocksOf, docsCommands, withOutput } from './page.js';

/** How pages are read: what of them is run, compared, or only looked at. */

const page = (...lines: string[]): string => lines.join('\n');

describe('the blocks of a page', () => {
  it('are those of sh, each with the text below it', () => {
    expect(
      blocksOf(
        page(
          '# A',
          '```sh',
          'docs orgs list',
          '```',
          'gives',
          '```text',
          'o1',
          '```',
          '```sh no-run',
          'x',
          '```',
        ),
      ),
    ).toEqual([
      { line: 2, script: 'docs orgs list\n', runs: true, output: 'o1\n', outputLine: 6 },
      { line: 9, script: 'x\n', runs: false },
    ]);
  });

  it('are the steps of a workflow, without the installation', () => {
    const steps = [
      'jobs:',
      '  a:',
      '    steps:',
      '      - run: npm install x',
      '      - run: docs orgs list',
    ];
    expect(blocksOf(page('```yaml', ...steps, '```'))[0]?.script).toBe('docs orgs list\n');
    expect(blocksOf(page('```yaml', 'key: value', '```'))).toEqual([]);
  });

  it('are the scripts of a pipeline, without what its service does', () => {
    const pipeline = [
      'default:',
      '  before_script: [npm install x]',
      'plan:',
      '  script:',
      '    - docs plan --save-plan plan.json',
      '    - |',
      '      docs plan show plan.json',
      '      echo done',
      'apply:',
      '  script: docs apply plan.json --yes',
      'lock:',
      '  script: [git add org/docs.lock.json && git commit -m lock]',
    ];
    expect(blocksOf(page('```yaml', ...pipeline, '```'))[0]?.script).toBe(
      'docs plan --save-plan plan.json\ndocs plan show plan.json\necho done\ndocs apply plan.json --yes\n',
    );
  });

  it('take an output anew', () => {
    const text = page('```sh', 'x', '```', '', '  ```text', '  old', '  lines', '  ```', 'end');
    const [block] = blocksOf(text);
    if (block === undefined) throw new Error('no block');
    expect(withOutput(text, block, 'new\n')).toBe(
      page('```sh', 'x', '```', '', '  ```text', '  new', '  ```', 'end'),
    );
  });

  it('are closed', () => {
    expect(() => blocksOf('```sh\ndocs')).toThrow('line 1');
  });
});

describe('the docs commands of a script', () => {
  it.each([
    ['docs orgs list | head -1', [['orgs', 'list']]],
    ['ORG=$(docs orgs list -o id)', [['orgs', 'list', '-o', 'id']]],
    ["docs x --jq '.[] | .id' > out.txt # docs y", [['x', '--jq', '.[] | .id']]],
    ['a && docs x || docs y; docs z', [['x'], ['y'], ['z']]],
    ['echo docs x', []],
    ['ids | xargs -n 1 docs spaces get', [['spaces', 'get']]],
    ['if ! docs x 2>err.txt; then', [['x']]],
    ['docs x \\\n  --y "a b" <in.txt', [['x', '--y', 'a b']]],
    ["cat >f <<'EOF'\ndocs no\nEOF\ndocs yes", [['yes']]],
  ])('%s', (script, commands) => {
    expect(docsCommands(`${script}\n`)).toEqual(commands);
  });
});
