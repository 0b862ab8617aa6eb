import { safeLine } from '../../../output/text.js';
import { type Looked, pageName, spaceName } from '../finding.js';

/** Findings for a terminal: a space, its pages below it, the links of each page below that. */
export function groupedText(): (looked: Looked) => string {
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
