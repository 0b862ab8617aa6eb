import { describe, expect, it } from 'vitest';
import { type Leads, rendered } from '../../../src/browser/markdown.js';
import { attribute, nodesOf } from './visitor.js';

/** Markdown that may come from anybody, as HTML. */

const leads: Leads = {
  inside: (url) => (url === 'other.md' ? '/sandbox/other' : undefined),
  picture: (url) => (url === 'a.png' ? '/sandbox/a' : undefined),
};
const shown = (text: string) => rendered(text, leads).text;

describe('rendered Markdown', () => {
  it('has what people write', () => {
    const text = shown(
      '# One\n\nA *b* **c** ~~d~~ `e` [f](other.md) ![g](a.png)\n\n- [x] h\n- i\n\n3. j\n\n> k\n\n| l | m |\n|---|--:|\n| n | o |\n\n```js\np\n```\n\nq[^1]\n\n[^1]: r',
    );
    for (const part of [
      '<h2 id="at-one" dir="auto">One</h2>',
      '<em>b</em> <strong>c</strong> <s>d</s> <code>e</code> <a href="/sandbox/other">f</a> <img src="/sandbox/a" alt="g" loading="lazy">',
      '<li dir="auto"><span role="img" aria-label="Done">☑</span> h</li><li dir="auto">i</li>',
      '<ol start="3"><li dir="auto">j</li></ol>',
      '<blockquote><p dir="auto">k</p>',
      '<th scope="col" class="end">m</th>',
      '<code>p</code></pre>',
      '<sup>1</sup>',
    ])
      expect(text).toContain(part);
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b onclick="x">c</b> <a href="javascript:x">d</a>',
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](data:text/html,<script>x</script>)',
    '[a](vbscript:x) <javascript:x>',
    '![a](https://evil.example/pixel.png)',
    '![a](data:image/svg+xml,x)',
    '[a]: javascript:x\n\n[a] ![b][a]',
    '[a](https://evil.example/"onmouseover="x)',
    '# "><img src=x>\n\n[a](#"><img src=x>)',
    '```"><script>\n</code></pre><script>x</script>\n```',
    '| </td><script>x</script> |\n|---|\n| <img src=x> |',
    '<style>body{}</style>\n\n<iframe src="https://evil.example"></iframe>',
    '&lt;script&gt;&#x202e;x',
  ])('%j is no more than text and links', (text) => {
    const nodes = nodesOf(shown(text));
    const names = new Set(nodes.map(({ nodeName }) => nodeName));
    for (const name of ['script', 'style', 'iframe', 'img', 'b']) expect(names).not.toContain(name);
    const attributes = nodes.flatMap(({ attrs = [] }) => attrs.map(({ name }) => name));
    expect(attributes.filter((name) => name.startsWith('on'))).toEqual([]);
    for (const node of nodes.filter(({ nodeName }) => nodeName === 'a'))
      expect(attribute(node, 'href')).toMatch(/^(?:https:\/\/evil\.example\/|#at-)/);
  });

  it('leaves out a heading that only repeats the title', () => {
    expect(rendered('# A\n\nb', leads, 'A').text).not.toContain('<h2');
    expect(rendered('# B\n\nb', leads, 'A').text).toContain('<h2');
  });

  it.each([
    ['a huge text', 'word '.repeat(100_000)],
    ['a huge block', '['.repeat(40_000)],
    ['many quotes', '>'.repeat(5000)],
    ['many lists', `${'- '.repeat(3000)}x`],
    ['much emphasis', `${'*a '.repeat(5000)}${'*'.repeat(5000)}`],
  ])('shows %s, too', (_, text) => {
    expect(shown(text).length).toBeGreaterThan(1000);
  });
});
