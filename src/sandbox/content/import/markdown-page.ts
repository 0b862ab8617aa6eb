import { defined, isObject } from '../../../base/values.js';
import { refusal } from '../../refusal.js';
import { slugOf } from '../../text.js';
import { linesOf, plainText } from '../markdown.js';
import type { PageAttributes } from '../versions.js';
import { type ImportedPage, longestTitle } from './imported.js';

type FrontMatter = Readonly<Record<string, unknown>>;

/**
 * Parses Markdown into a page. Its title is that of the front matter, else a heading of level 1 at the start,
 * which the text then omits, else `otherwise`.
 * @throws 400 if the front matter is not YAML
 */
export async function markdownPage(text: string, otherwise: string): Promise<ImportedPage> {
  const { frontMatter, rest } = await splitFrontMatter(text);
  const { heading, body } = splitHeading(rest);
  const title = (stringOf(frontMatter.title) ?? heading ?? otherwise).slice(0, longestTitle);
  return {
    title,
    slug: slugOf(stringOf(frontMatter.slug) ?? title, 'page'),
    ...defined({ description: stringOf(frontMatter.description) }),
    attributes: attributesOf(frontMatter),
    markdown: stringOf(frontMatter.title) === undefined ? body : rest.trim(),
    pages: [],
  };
}

async function splitFrontMatter(text: string): Promise<{ frontMatter: FrontMatter; rest: string }> {
  const plain = text.replaceAll('\r\n', '\n');
  const end = plain.startsWith('---\n') ? plain.indexOf('\n---\n', 3) : -1;
  if (end === -1) return { frontMatter: {}, rest: plain };
  const { parse } = await import('yaml');
  try {
    const parsed: unknown = parse(plain.slice(4, end + 1), { logLevel: 'error' });
    return { frontMatter: isObject(parsed) ? parsed : {}, rest: plain.slice(end + 5) };
  } catch {
    throw refusal(400, 'The front matter is not valid YAML.');
  }
}

/** A heading of level 1 at the start, and the text without it. */
function splitHeading(text: string): { heading?: string; body: string } {
  const start = text.search(/\S/);
  const [first] = linesOf(text.slice(Math.max(start, 0)));
  const [line = '', title] = first?.code
    ? []
    : (/^ {0,3}#[ \t]+(.*?)[ \t]*#*[ \t]*$/.exec(first?.line ?? '') ?? []);
  if (title === undefined) return { body: text.trim() };
  const heading = plainText(title).trim();
  return { ...(heading !== '' && { heading }), body: text.slice(start + line.length).trim() };
}

function attributesOf(frontMatter: FrontMatter): PageAttributes {
  const { layout } = frontMatter;
  const text = (key: string) => stringOf(frontMatter[key]);
  const flag = (key: string) => (typeof frontMatter[key] === 'boolean' ? frontMatter[key] : undefined);
  return defined({
    emoji: text('emoji'),
    icon: text('icon'),
    hidden: flag('hidden'),
    noIndex: flag('noIndex'),
    noRobotsIndex: flag('noRobotsIndex'),
    layout: isObject(layout) ? layoutOf(layout) : undefined,
  });
}

const layoutFlags = ['cover', 'title', 'description', 'tableOfContents', 'outline', 'pagination'];

/** `tableOfContents: false`, or as Git repositories have it, `tableOfContents: {visible: false}`. */
function layoutOf(layout: FrontMatter): NonNullable<PageAttributes['layout']> {
  const flags = layoutFlags.flatMap((key): [string, boolean][] => {
    const value = layout[key];
    const visible = isObject(value) ? value.visible : value;
    return typeof visible === 'boolean' ? [[key, visible]] : [];
  });
  return Object.fromEntries(flags);
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
