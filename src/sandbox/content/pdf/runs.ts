import type { PhrasingContent } from 'mdast';
import type { Fonts, Piece, Style } from './fonts.js';
import type { Picture } from './pictures.js';

/** Where a link leads: to a page of the document, or to an address. */
export type PdfTarget = { page: string } | { url: string };

/** What the links and images of a text are, by their targets as written. */
export interface Targets {
  link(target: string): PdfTarget | undefined;
  picture(target: string): Picture | undefined;
}

/** A piece of a line of text. */
export interface Run extends Piece {
  target?: PdfTarget | undefined;
  struck?: boolean;
}

/** A part of a paragraph: text, or a picture on its own. */
export type Part = { runs: Run[] } | { picture: Picture };

interface Setting extends Style {
  target?: PdfTarget | undefined;
  struck?: boolean;
}

/** The parts of a paragraph, in order. A picture that cannot be shown is its description, in brackets. */
export function partsOf(
  nodes: readonly PhrasingContent[],
  fonts: Fonts,
  targets: Targets,
  style: Style = {},
): Part[] {
  const parts: Part[] = [];
  const say = (text: string, { target, struck, ...own }: Setting) => {
    const last = parts.at(-1);
    const runs = fonts.pieces(text, own).map((piece) => ({ ...piece, target, struck: struck ?? false }));
    if (last !== undefined && 'runs' in last) last.runs.push(...runs);
    else parts.push({ runs });
  };
  const walk = (node: PhrasingContent, setting: Setting): void => {
    if (node.type === 'image' || node.type === 'imageReference') {
      const source = node.type === 'image' ? node.url : node.identifier;
      const picture = targets.picture(source);
      if (picture !== undefined) parts.push({ picture });
      else say(`[${node.alt || source}]`, { ...setting, target: setting.target ?? targets.link(source) });
    } else if (node.type === 'break') say('\n', setting);
    else if (node.type === 'inlineCode') say(node.value, { ...setting, code: true });
    else if (node.type === 'text') say(node.value.replaceAll(/\s+/g, ' '), setting);
    else if ('children' in node)
      for (const child of node.children) walk(child, settingOf(node, setting, targets));
  };
  for (const node of nodes) walk(node, style);
  return parts.filter((part) => !('runs' in part) || part.runs.some(({ text }) => text.trim() !== ''));
}

function settingOf(node: PhrasingContent, setting: Setting, targets: Targets): Setting {
  switch (node.type) {
    case 'strong':
      return { ...setting, bold: true };
    case 'emphasis':
      return { ...setting, italic: true };
    case 'delete':
      return { ...setting, struck: true };
    case 'link':
      return { ...setting, target: targets.link(node.url) };
    case 'linkReference':
      return { ...setting, target: targets.link(node.identifier) };
    default:
      return setting;
  }
}
