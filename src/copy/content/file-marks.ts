import { fileMark } from '../../sandbox/content/versions.js';
import type { CopiedFile } from '../../sandbox/copy/content.js';
import { fileNamesOf } from '../../workflows/backup/folder/names.js';

/** Turns the paths of files in the texts of a backup back into what stands for the files (content/told.ts). */
export class FileMarks {
  /** Names as texts have them → marks, by what leads to their folder: `files/`, `../../files/`. */
  readonly #folders: ReadonlyMap<string, ReadonlyMap<string, string>>;

  /**
   * @param files of the content
   * @param main of its space, if it is that of a change request, which names those that are the same
   */
  constructor(files: readonly CopiedFile[], main?: readonly CopiedFile[]) {
    const folders = new Map([['files/', marksOf(files)]]);
    if (main !== undefined) folders.set('../../files/', marksOf(main));
    this.#folders = folders;
  }

  /** @param path of the page below the folder of its content: `pages/guides/install.md` */
  replaced(text: string, path: string): string {
    const above = '../'.repeat(path.split('/').length - 1);
    let replaced = text;
    for (const [folder, marks] of this.#folders) {
      const start = above + folder;
      if (marks.size > 0 && replaced.includes(start)) replaced = withMarks(replaced, start, marks);
    }
    return replaced;
  }
}

function marksOf(files: readonly CopiedFile[]): Map<string, string> {
  const names = fileNamesOf(files.map(({ id, name: title }) => ({ id, title })));
  return new Map([...names].map(([id, name]) => [encodeURIComponent(name), fileMark(id)]));
}

/** What precedes a path is no part of it, or the path is another. */
function withMarks(text: string, start: string, marks: ReadonlyMap<string, string>): string {
  const paths = new RegExp(`(?<![\\w./%-])${start.replaceAll('.', '\\.')}([^\\s"<>\\]\\\\\`/]+)`, 'g');
  return text.replaceAll(paths, (path, rest: string) => {
    const name = nameAtStart(rest, marks);
    return name === undefined ? path : `${marks.get(name)}${rest.slice(name.length)}`;
  });
}

/** The longest name: some have brackets, and some stand in brackets. */
function nameAtStart(rest: string, marks: ReadonlyMap<string, string>): string | undefined {
  for (let end = rest.length; end > 0; end--) {
    const isEnd = end === rest.length || /[')?#]/.test(rest[end] ?? '');
    if (isEnd && marks.has(rest.slice(0, end))) return rest.slice(0, end);
  }
  return undefined;
}
