import { exitCodes } from '../base/errors.js';
import { tableLines } from '../document/markdown.js';
import { settingKeys } from '../settings/keys.js';
import { code, escaped } from './markdown.js';

/** Generated tables in handwritten pages, between two marks each. */

const sections: Readonly<Record<string, () => string[]>> = {
  'exit codes': () =>
    tableLines(
      ['Code', 'Name', 'Meaning'],
      Object.entries(exitCodes).map(([name, exit]) => [String(exit.code), code(name), escaped(exit.meaning)]),
    ),
  settings: () =>
    tableLines(
      ['Setting', 'Meaning', 'Flag', 'Variable', 'Project file'],
      settingKeys.map(({ name, description, flag, environment, inProjectFile, property }) => [
        code(name),
        escaped(description),
        flag === undefined ? '' : code(flag),
        environment === undefined ? '' : code(environment),
        inProjectFile ? code(property) : '',
      ]),
    ),
};

const marks = /^<!-- made: ([\w ]+) -->\n[\s\S]*?^<!-- end -->$/gm;

/** Updates the tables of a page from the declarations. */
export function withSections(page: string): string {
  return page.replaceAll(marks, (_, name: string) => {
    const make = sections[name];
    if (make === undefined) throw new Error(`no such section: ${name}`);
    return [`<!-- made: ${name} -->`, '', ...make(), '', '<!-- end -->'].join('\n');
  });
}
