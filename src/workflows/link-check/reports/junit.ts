import type { LinkStatus } from '../../../access/links/reference.js';
import { counted } from '../../../output/counted.js';
import { safeLine, safeText } from '../../../output/safe-text.js';
import { type Unread, unreadWords } from '../../../snapshot/unread.js';
import { type Looked, pageName, spaceName } from '../finding.js';
import type { Report } from '../report.js';

/**
 * JUnit XML: a test suite for each space, a test case for each finding. What could not be read is an error;
 * a space without findings is a passed test, so that a report without failures shows what was checked.
 */
export function junit(statuses: readonly LinkStatus[]): Report {
  return {
    begin: () => '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="docs links check">\n',
    looked: (looked) => suite(looked, statuses),
    end({ unread }) {
      // Those of spaces and pages are in their suites.
      const lists = unread.filter(({ kind }) => !['space', 'page'].includes(kind)).map(errorCase);
      const text = lists.length === 0 ? '' : suiteOf('Lists of spaces', lists, 0, lists.length);
      return `${text}</testsuites>\n`;
    },
  };
}

function suite({ space, findings, links, unread }: Looked, statuses: readonly LinkStatus[]): string {
  const cases = [...findings.map(findingCase), ...unread.map(errorCase)];
  const failures = findings.filter(({ status }) => status !== 'ok').length;
  if (cases.length === 0) {
    const looked = links === undefined ? 'links not counted' : `${counted(links, 'link')} looked at`;
    const name = attribute(`no ${statuses.join(' or ')} links; ${looked}`);
    cases.push(`<testcase classname=${attribute(spaceName(space))} name=${name}/>`);
  }
  return suiteOf(spaceName(space), cases, failures, unread.length);
}

function suiteOf(name: string, cases: readonly string[], failures: number, errors: number): string {
  const counts = `tests="${cases.length}" failures="${failures}" errors="${errors}"`;
  const lines = cases.map((one) => `    ${one}\n`).join('');
  return `  <testsuite name=${attribute(name)} ${counts}>\n${lines}  </testsuite>\n`;
}

function findingCase(finding: Looked['findings'][number]): string {
  const { status, space, link, page, fingerprint } = finding;
  const name = `classname=${attribute(`${spaceName(space)} / ${pageName(finding)}`)} name=${attribute(link)}`;
  if (status === 'ok') return `<testcase ${name}/>`;
  const message = attribute(`${status} link: ${link}`);
  const facts = [
    `link: ${link}`,
    `page: ${pageName(finding)}${page === undefined ? '' : ` (${page.id})`}`,
    `space: ${spaceName(space)} (${space.id})`,
    ...(page?.url === undefined ? [] : [`address: ${page.url}`]),
    `fingerprint: ${fingerprint}`,
  ];
  return `<testcase ${name}><failure type="${status}" message=${message}>${escaped(safeText(facts.join('\n')))}</failure></testcase>`;
}

function errorCase(unread: Unread): string {
  const { kind, id, title, error } = unread;
  const name = `classname=${attribute(kind)} name=${attribute(`${title ?? id}: not read`)}`;
  return `<testcase ${name}><error type=${attribute(error.code)} message=${attribute(unreadWords(unread))}/></testcase>`;
}

function attribute(text: string): string {
  return `"${escaped(safeLine(text))}"`;
}

const names: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** Control characters are replaced by now; of what XML forbids only two code points are left. */
function escaped(text: string): string {
  return text
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (character) => `&${names[character]};`);
}
