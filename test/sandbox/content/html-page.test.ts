import { describe, expect, test } from 'vitest';
import { htmlPage } from '../../../src/sandbox/content/import/pages.js';

const markdown = async (body: string, url?: string) =>
  (await htmlPage(`<main>${body}</main>`, 'x', url)).markdown;

describe('htmlPage', () => {
  test('takes the title from the heading, the text from main, the description from the head', async () => {
    const html = `<!doctype html><html><head><title>Docs | Setup</title>
      <meta name="Description" content="How &amp; why"></head>
      <body><nav><a href="/">Home</a></nav><main><h1>Set&nbsp;up <em>it</em></h1><p>First.</p></main></body></html>`;
    expect(await htmlPage(html, 'otherwise')).toEqual({
      ...{ title: 'Set up it', slug: 'set-up-it', description: 'How & why', attributes: {} },
      ...{ markdown: 'First.', pages: [] },
    });
  });

  test('falls back to the title of the document, then to the name', async () => {
    expect(await htmlPage('<title>From head</title><p>x', 'name')).toMatchObject({ title: 'From head' });
    expect(await htmlPage('just text', 'name')).toMatchObject({ title: 'name', markdown: 'just text' });
  });

  test('converts headings, paragraphs, emphasis, code, links and images', async () => {
    const html = `<h2>A <code>b</code></h2><p>One <b>two</b> <i> three </i><br>four<p>five &lt;six&gt; *
      <a href="guide.html#x">seven</a> <img src="/i.png" alt="eight"> <a href="javascript:x()">nine</a>`;
    expect(await markdown(html, 'https://docs.example/a/b.html')).toBe(
      '## A `b`\n\nOne **two** *three*\\\nfour\n\n' +
        'five \\<six> \\* [seven](https://docs.example/a/guide.html#x) ![eight](https://docs.example/i.png) nine',
    );
  });

  test('converts lists, quotes, rules, code blocks and tables', async () => {
    const html = `<ul><li>a<li>b<ol><li>c</li><li>d</li></ol></ul><blockquote><p>q</p></blockquote><hr>
      <pre><code class="language-js">const a = "\`\`\`";\n  b &lt; c</code></pre>
      <table><tr><th>h</th><th>i|j</th></tr><tr><td>k</td></tr></table>`;
    expect(await markdown(html)).toBe(
      [
        '- a\n- b\n  1. c\n  2. d',
        '> q',
        '---',
        '````js\nconst a = "```";\n  b < c\n````',
        '| h | i\\|j |\n| - | - |\n| k | |',
      ].join('\n\n'),
    );
  });

  test('leaves out scripts, styles, forms and comments', async () => {
    const html =
      '<script>if (a < b) alert("</p>")</script><style>p{}</style><!-- <p>no</p> --><p>yes</p><form>no</form>';
    expect(await markdown(html)).toBe('yes');
  });

  test('accepts any nesting and any broken markup', async () => {
    expect(await markdown(`${'<div>'.repeat(5000)}deep`)).toBe('deep');
    expect(await markdown('<p>a</div></b></p></p><b>b<p>c')).toContain('c');
    expect(await markdown('<a "<'.repeat(2000))).toBeTypeOf('string');
  });
});
