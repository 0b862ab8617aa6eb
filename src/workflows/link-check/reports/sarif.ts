import type { LinkStatus } from '../../../access/links/reference.js';
import { defined } from '../../../base/values.js';
import { version } from '../../../base/version.js';
import { stringify } from '../../../output/json.js';
import { safeLine } from '../../../output/safe-text.js';
import { unreadWords } from '../../../snapshot/unread.js';
import { type Finding, pageName, spaceName } from '../finding.js';
import type { Report, Tally } from '../report.js';

/** SARIF 2.1.0 (OASIS): one run with a result for each finding; what could not be read is a notification. */

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
