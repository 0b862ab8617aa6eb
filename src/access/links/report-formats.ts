import type { Io } from '../../base/io.js';
import { redactStrings } from '../../base/redaction.js';
import { defined } from '../../base/values.js';
import { version } from '../../base/version.js';
import { code, Excerpt, prose } from '../../document/markdown.js';
import { writeAskedFile } from '../../files/asked-file.js';
import { stringify } from '../../output/json.js';
import { counted, safeLine, safeText } from '../../output/text.js';
import { type Unread, unreadWords } from '../../snapshot/unread.js';
import { type Finding, type LinkFindings, pageName, type ReportFormat, spaceName } from './finding.js';
import { type Report, type Tally, tallyWords } from './link-check.js';
import type { LinkStatus } from './reference.js';

/**
 * The reports of a check: text for a terminal, SARIF 2.1.0 (OASIS), JUnit, and Markdown for a pull request.
 */

/**
 * Markdown for the comment on a pull request: a table for each space. It stays below GitHub's limit for a
 * comment (65,536 characters), and says how much it left out.
 */
const mostCharacters = 55_000;
const mostUnread = 50;
/** All ASCII punctuation but that of numbers and paths: also what could end the address of a link. */
const punctuation = /[!-+:-@[-`{-~]/g;

export function markdown(statuses: readonly LinkStatus[]): Report {
  const tables = new Excerpt(mostCharacters);
  let section = '';
  return {
    begin: () => '## Links\n',
    looked(looked) {
      const { space, findings } = looked;
      const lines: string[] = [];
      for (const finding of findings) {
        const rows = section === space.id ? row(finding) : heading(looked) + row(finding);
        if (!tables.add(rows)) continue;
        section = space.id;
        lines.push(rows);
      }
      return lines.join('');
    },
    end(tally) {
      return `${tables.more('further finding', ' into this comment')}\n${summary(tally, statuses)}`;
    },
  };
}

function heading({ space }: LinkFindings): string {
  return `\n### ${plain(spaceName(space))}\n\n| Page | State | Link |\n|---|---|---|\n`;
}

function row(finding: Finding): string {
  return `| ${pageCell(finding)} | ${finding.status} | ${code(finding.link, punctuation)} |\n`;
}

function pageCell(finding: Finding): string {
  const title = plain(pageName(finding));
  const address = finding.page?.url;
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol)) return title;
  return `[${title}](${url.href.replace(/[()|<>\\[\]`*_~]/g, percent)})`;
}

function summary(tally: Tally, statuses: readonly LinkStatus[]): string {
  const lines = tally.unread.slice(0, mostUnread).map((one) => `- ${plain(unreadWords(one))}\n`);
  const rest = tally.unread.length - lines.length;
  const list = lines.length === 0 ? '' : `\n**Not read**\n\n${lines.join('')}`;
  return `${tallyWords(tally, statuses)}\n${list}${rest === 0 ? '' : `- … and ${rest} more\n`}`;
}

function plain(text: string): string {
  return prose(text, punctuation);
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

const schema = 'https://json.schemastore.org/sarif-2.1.0.json';

const inApp = 'The link leads into the app, which readers of the published page may not be able to open.';
const rules: readonly { status: LinkStatus; id: string; text: string; level: string }[] = [
  { status: 'broken', id: 'broken-link', text: 'The target of the link does not exist.', level: 'error' },
  { status: 'in-app', id: 'in-app-link', text: inApp, level: 'warning' },
  { status: 'ok', id: 'working-link', text: 'The link has no problem.', level: 'none' },
];

const described = rules.map(({ id, text, level }) => {
  return { id, shortDescription: { text }, defaultConfiguration: { level } };
});
const driver = { name: 'docs', semanticVersion: version, rules: described };

export function sarif(): Report {
  let first = true;
  return {
    begin: () =>
      `{"$schema":${stringify(schema)},"version":"2.1.0","runs":[{"tool":${stringify({ driver })},"results":[\n`,
    looked({ findings }) {
      const text = findings
        .map((finding, index) => `${first && index === 0 ? '' : ','}${stringify(resultOf(finding))}\n`)
        .join('');
      if (findings.length > 0) first = false;
      return text;
    },
    end: (tally) => `],${stringify(restOfRun(tally)).slice(1)}]}\n`,
  };
}

function resultOf(finding: Finding): Record<string, unknown> {
  const { status, space, page, link, fingerprint, changeRequest } = finding;
  const index = rules.findIndex((rule) => rule.status === status);
  const rule = rules[index] as (typeof rules)[number];
  const place = `${pageName(finding)} (${spaceName(space)})`;
  const physicalLocation = { artifactLocation: { uri: addressOf(finding) }, region: { startLine: 1 } };
  const fullyQualifiedName = [space.id, ...(page === undefined ? [] : [page.id])].join('/');
  const logical = { name: safeLine(pageName(finding)), fullyQualifiedName, kind: 'resource' };
  return {
    ruleId: rule.id,
    ruleIndex: index,
    kind: status === 'ok' ? 'pass' : 'fail',
    level: rule.level,
    message: { text: message(`${status} link on ${place}: ${link}`) },
    locations: [{ physicalLocation, logicalLocations: [logical] }],
    partialFingerprints: { 'docsLink/v1': fingerprint },
    properties: defined({ space: space.id, page: page?.id ?? null, changeRequest }),
  };
}

/** A URI reference: the page's file in the repository of the space, else its URL, else its ids. */
function addressOf({ space, page }: Finding): string {
  if (page?.file !== undefined) return inPath(page.file.replace(/^\/+/, ''));
  if (page?.url !== undefined && URL.canParse(page.url)) return new URL(page.url).href;
  return inPath(['spaces', space.id, ...(page === undefined ? [] : ['pages', page.id])].join('/'));
}

function inPath(path: string): string {
  return safeLine(path).split('/').map(encodeURIComponent).join('/');
}

/** Plain text, escaped so that brackets are not links and braces not placeholders (SARIF, 3.11). */
function message(text: string): string {
  return safeLine(text)
    .replace(/[\\[\]]/g, '\\$&')
    .replace(/[{}]/g, '$&$&');
}

function restOfRun(tally: Tally): Record<string, unknown> {
  const { unread, read, links, known } = tally;
  const toolExecutionNotifications = unread.map((one) => ({
    descriptor: { id: 'not-read' },
    level: 'error',
    message: { text: message(`not read: ${unreadWords(one)}`) },
  }));
  return {
    invocations: [{ executionSuccessful: unread.length === 0, toolExecutionNotifications }],
    columnKind: 'utf16CodeUnits',
    properties: { spaces: read.size, links, known },
  };
}

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

function suite({ space, findings, links, unread }: LinkFindings, statuses: readonly LinkStatus[]): string {
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

function findingCase(finding: LinkFindings['findings'][number]): string {
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

/** Findings for a terminal: a space, its pages below it, the links of each page below that. */
export function groupedText(): (looked: LinkFindings) => string {
  let section: string | undefined;
  return ({ space, findings }) => {
    const lines: string[] = [];
    let page: string | undefined;
    for (const finding of findings) {
      if (section !== space.id)
        lines.push(`${section === undefined ? '' : '\n'}${safeLine(spaceName(space))} (${space.id})`);
      section = space.id;
      const id = finding.page?.id ?? '';
      if (page !== id) lines.push(`  ${safeLine(pageName(finding))}${pathOf(finding.page?.path)}`);
      page = id;
      lines.push(`    ${finding.status.padEnd(6)}  ${safeLine(finding.link)}`);
    }
    return lines.map((line) => `${line}\n`).join('');
  };
}

function pathOf(path: string | undefined): string {
  return path === undefined || path === '' ? '' : `  /${safeLine(path.replace(/^\/+/, ''))}`;
}

/** Opens a report of the statuses that are looked for. */
export function openReport(format: ReportFormat, statuses: readonly LinkStatus[]): Report {
  return { sarif, junit, markdown }[format](statuses);
}

export async function* piecesOf(
  report: Report,
  looks: AsyncIterable<LinkFindings>,
  tally: Tally,
): AsyncGenerator<string> {
  yield report.begin();
  // Links may carry signatures, and reports are kept and shown to others.
  for await (const looked of looks) yield report.looked(redactStrings(looked));
  yield report.end(tally);
}

/**
 * Writes a report to a file. The old file stays until the new one is whole, and if the check fails.
 * @param path absolute
 * @throws DocsError local-io; what the pieces throw
 */
export async function writeReport(
  io: Pick<Io, 'own'>,
  path: string,
  pieces: AsyncIterable<string>,
): Promise<void> {
  await writeAskedFile(io, path, encoded(pieces));
}

async function* encoded(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) if (piece !== '') yield encoder.encode(piece);
}
