import type { Reading } from '../../jobs/space-sources.js';
import { unreadWords } from '../../jobs/unread.js';
import type { Page, View } from '../../output/printer.js';
import { startProgress } from '../../output/progress.js';
import type { Session } from '../session.js';
import { fieldPaths } from '../view.js';
import { type Baseline, type KnownFinding, knownOf, readBaseline, writeBaseline } from './baseline.js';
import { Finding } from './finding.js';
import { lookAtChangeRequest, lookAtSpaces } from './gather.js';
import { groupedText } from './grouped-text.js';
import type { Looked } from './looked.js';
import { ReportFile } from './report-file.js';
import { openReport, type Report } from './reports/report.js';
import type { CheckRequest } from './request.js';
import { isWhole, spacesToCheck } from './sources.js';
import { failureOf, Tally, tallyWords } from './tally.js';

const view: View = {
  columns: [
    { path: 'status', as: 'state' },
    { path: 'space.title', label: 'SPACE' },
    { path: 'page.title', label: 'PAGE' },
    { path: 'link' },
    { path: 'space.id', as: 'id' },
    { path: 'page.id', as: 'id' },
  ],
  ...fieldPaths(Finding),
  id: 'fingerprint',
};

/**
 * Checks links and tells what was found: as a list, grouped on a terminal, or as a report.
 * @throws DocsError findings (exit 17), partial (exit 3); as `requestOf`, `readBaseline`, `ReportFile`
 */
export async function checkLinks(session: Session, request: CheckRequest): Promise<void> {
  await session.printer.check(view);
  await new LinkCheck(session, request).run();
}

class LinkCheck {
  readonly #session: Session;
  readonly #request: CheckRequest;
  readonly #tally: Tally;
  /** For the next baseline; kept only where it is to be written. */
  readonly #found = new Map<string, KnownFinding>();
  #baseline: Baseline = new Map();

  constructor(session: Session, request: CheckRequest) {
    this.#session = session;
    this.#request = request;
    this.#tally = new Tally(request.changeRequest !== undefined);
  }

  async run(): Promise<void> {
    const { report, reportFile, baseline, updateBaseline, statuses } = this.#request;
    if (baseline !== undefined) this.#baseline = await readBaseline(baseline, updateBaseline);
    if (report === undefined) await this.#print();
    else await this.#report(await openReport(report, statuses), reportFile);
    if (updateBaseline && baseline !== undefined) await this.#updateBaseline(baseline);
    this.#tell();
  }

  /**
   * What was found in each space, without what the baseline knows; counted as it passes.
   * @param quiet whether somebody else shows that something goes on
   */
  async *#looks(quiet = this.#session.globals.quiet ?? false): AsyncGenerator<Looked> {
    const progress = startProgress(this.#session.io, { text: 'Looking for spaces', quiet });
    try {
      const { looks, total } = await this.#source();
      progress.stop();
      yield* this.#counted(looks, total, quiet);
    } finally {
      progress.stop();
    }
  }

  async *#counted(looks: AsyncIterable<Looked>, total: number, quiet: boolean): AsyncGenerator<Looked> {
    const progress = startProgress(this.#session.io, {
      text: 'Checking',
      quiet,
      ...(total > 0 && { total }),
    });
    let done = 0;
    try {
      for await (const looked of looks) {
        if (this.#request.updateBaseline)
          for (const finding of looked.findings) this.#found.set(finding.fingerprint, knownOf(finding));
        const fresh = looked.findings.filter(({ fingerprint }) => !this.#baseline.has(fingerprint));
        const shown = { ...looked, findings: fresh };
        this.#tally.add(shown, looked.findings.length - fresh.length);
        done += 1;
        progress.count(done, this.#tally.unread.length);
        progress.hide();
        yield shown;
        progress.show();
      }
    } finally {
      progress.stop();
    }
  }

  /** Where the results come from, and how many there will be; 0 where that is not known. */
  async #source(): Promise<{ looks: AsyncIterable<Looked>; total: number }> {
    const { scope, organization, changeRequest, statuses, concurrency } = this.#request;
    const client = await this.#session.client({ connections: concurrency, timeoutPerRequest: true });
    const reading: Reading = { client, organization, concurrency, signal: this.#session.io.signal };
    if (changeRequest !== undefined) {
      const [id = ''] = scope.spaces;
      return { looks: lookAtChangeRequest(reading, { id }, changeRequest, statuses), total: 0 };
    }
    const { spaces, unread } = await spacesToCheck(reading, scope);
    this.#tally.unread.push(...unread);
    return { looks: lookAtSpaces(reading, spaces, statuses), total: spaces.length };
  }

  /** Groups on a terminal, unless a form was asked for; else the list. */
  async #print(): Promise<void> {
    const { printer, io, settings, globals } = this.#session;
    const asked = settings.output ?? settings.fields ?? globals.jq;
    if (io.stdout.isTTY !== true || asked !== undefined) {
      await printer.list(pagesOf(this.#looks(true)), view);
      return;
    }
    const text = groupedText();
    for await (const looked of this.#looks())
      if (looked.findings.length > 0) await printer.text(text(looked));
  }

  async #report(report: Report, path: string | undefined): Promise<void> {
    const { printer, globals } = this.#session;
    if (path === undefined) return this.#write(report, (text) => printer.text(text));
    if (globals.dryRun) {
      await this.#print();
      printer.note(`Dry run: ${path} is not written.`);
      return;
    }
    const file = new ReportFile(path);
    try {
      await this.#write(report, (text) => file.write(text));
      await file.close();
    } finally {
      await file.abandon();
    }
  }

  async #write(report: Report, write: (text: string) => Promise<void>): Promise<void> {
    const put = async (text: string) => (text === '' ? undefined : write(text));
    await put(report.begin());
    for await (const looked of this.#looks()) await put(report.looked(looked));
    await put(report.end(this.#tally));
  }

  async #updateBaseline(path: string): Promise<void> {
    const { printer, globals } = this.#session;
    const { scope, statuses } = this.#request;
    if (globals.dryRun) return printer.note(`Dry run: ${path} is not written.`);
    const { read, unread } = this.#tally;
    const all = isWhole(scope) && unread.length === 0;
    const covers = (space: string) => all || read.has(space);
    const count = await writeBaseline(path, this.#baseline, this.#found, { statuses, covers });
    printer.note(`${path} holds ${count} known ${count === 1 ? 'finding' : 'findings'} now.`);
  }

  /** What was not read, one a line; then the sum: as a failure where there is one. */
  #tell(): void {
    const { printer, settings, io } = this.#session;
    const { statuses, failOn } = this.#request;
    const failure = failureOf(this.#tally, statuses, failOn, io.platform);
    // With JSON the failure is the one line on stderr; what was not read is in its details.
    if (!['json', 'ndjson'].includes(settings.output?.value ?? ''))
      for (const unread of this.#tally.unread) printer.warn(`Not read: ${unreadWords(unread)}`);
    if (failure !== undefined) throw failure;
    printer.note(tallyWords(this.#tally, statuses));
  }
}

async function* pagesOf(looks: AsyncIterable<Looked>): AsyncGenerator<Page> {
  for await (const { findings } of looks) if (findings.length > 0) yield { items: findings, next: 'more' };
}
