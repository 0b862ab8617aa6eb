import type { TreeNode, TreePart } from '../document/document.js';
import { type Html, type HtmlPart, html } from '../document/html.js';
import { age, grouped, safeLine } from '../output/text.js';
import { type DrawnPart, type Moment, short } from './markup.js';

/** A tree that is open two levels, below a picture of it: an icicle, whose width is what is in it and whose colour its age. */

/** Levels that are open at first. */
const open = 2;

export function treeHtml({ root }: TreePart, id: string, moment: Moment): DrawnPart {
  const counter = { next: 1 };
  const body = html`${icicleHtml(root, moment)}
<ul class="nodes" id="${id}-tree">${nodeHtml(root, { id, depth: 0, counter }, moment)}</ul>`;
  return { body, count: grouped(countOf(root)) };
}

function countOf(root: TreeNode): number {
  let count = 0;
  for (const waiting = [root]; waiting.length > 0; count += 1)
    waiting.push(...(waiting.pop()?.children ?? []));
  return count;
}

/** Nodes that are deeper are in the list of their last level: HTML within HTML has limits. */
const deepest = 200;

function nodeHtml(
  node: TreeNode,
  at: { id: string; depth: number; counter: { next: number } },
  moment: Moment,
): Html {
  const { children = [] } = node;
  const id = `${at.id}-${at.counter.next++}`;
  const line = lineHtml(node, moment);
  if (children.length === 0) return html`<li id="${id}" data-row>${line}</li>\n`;
  if (at.depth >= deepest)
    return html`<li id="${id}" data-row>${line} <span class="soft">deeper levels are not shown</span></li>\n`;
  const below = children.map((child) => nodeHtml(child, { ...at, depth: at.depth + 1 }, moment));
  return html`<li id="${id}" data-row><details${at.depth < open && html` open`}><summary>${line}</summary><ul>${below}</ul></details></li>\n`;
}

function lineHtml({ label, as, facts = [], at, remark }: TreeNode, { nowMs }: Moment): HtmlPart {
  const changed = at !== undefined && html` <time datetime="${at}" title="${at}">${age(at, nowMs)}</time>`;
  return html`<span class="as">${as}</span> <bdi class="label">${safeLine(label)}</bdi> <span class="soft">${facts.map(safeLine).join(' · ')}${changed}</span>${remark !== undefined && html` <span class="b warn">${remark}</span>`}`;
}

/** Ages by their colour. */
const ages = [
  { label: 'today', days: 1 },
  { label: 'this week', days: 7 },
  { label: 'this month', days: 31 },
  { label: 'this quarter', days: 92 },
  { label: 'older', days: Number.POSITIVE_INFINITY },
] as const;

const [width, step, gap] = [1200, 30, 2];
/** Levels of the picture; below them a box stands for all that is in it. */
const mostLevels = 5;

/** Undefined where there is too little for a picture. */
function icicleHtml(root: TreeNode, { nowMs }: Moment): HtmlPart {
  const leaves = new Map<TreeNode, number>();
  weigh(root, leaves);
  if ((leaves.get(root) ?? 0) < 4) return undefined;
  const boxes: Html[] = [];
  const seen = new Set<number>();
  let deepestLevel = 0;
  const draw = (nodes: readonly TreeNode[], x: number, room: number, level: number) => {
    const all = nodes.reduce((sum, node) => sum + (leaves.get(node) ?? 1), 0);
    let at = x;
    for (const node of nodes) {
      const own = (room * (leaves.get(node) ?? 1)) / all;
      const tone = toneOf(node, nowMs);
      if (tone !== undefined) seen.add(tone);
      deepestLevel = Math.max(deepestLevel, level);
      boxes.push(boxHtml(node, { x: at, y: level * step, width: own, tone }));
      if (level + 1 < mostLevels && own > 6) draw(node.children ?? [], at, own, level + 1);
      at += own;
    }
  };
  draw(root.children ?? [], 0, width, 0);
  const legend = ages.flatMap(({ label }, at) =>
    seen.has(at) ? [html`<span><i class="swatch age${at}"></i>${label}</span> `] : [],
  );
  return html`<figure class="icicle"><svg viewBox="0 0 ${width} ${(deepestLevel + 1) * step}" role="img" aria-label="${safeLine(root.label)}, by what is in what; colour: when it was last changed">${boxes}</svg>
<figcaption>Width: what is in it. ${legend.length > 0 && html`Colour: last changed `}${legend}</figcaption></figure>`;
}

function weigh(root: TreeNode, leaves: Map<TreeNode, number>): void {
  const order = [root];
  for (let at = 0; at < order.length; at += 1) order.push(...(order[at]?.children ?? []));
  for (const node of order.reverse())
    leaves.set(
      node,
      Math.max(
        1,
        (node.children ?? []).reduce((sum, child) => sum + (leaves.get(child) ?? 1), 0),
      ),
    );
}

function toneOf({ at }: TreeNode, nowMs: number): number | undefined {
  const ms = at === undefined ? Number.NaN : Date.parse(at);
  if (Number.isNaN(ms)) return undefined;
  return ages.findIndex(({ days }) => nowMs - ms <= days * 86_400_000);
}

function boxHtml(
  { label, as, facts = [] }: TreeNode,
  { x, y, width: own, tone }: { x: number; y: number; width: number; tone: number | undefined },
): Html {
  const room = Math.floor((own - 10) / 7);
  const title = [`${as} ${safeLine(label)}`, ...facts.map(safeLine)].join(', ');
  const text = room > 2 && html`<text x="${(x + 5).toFixed(1)}" y="${y + 19}">${short(label, room)}</text>`;
  return html`<g><title>${title}</title><rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(0.5, own - gap).toFixed(1)}" height="${step - gap}" rx="2" class="${tone === undefined ? 'box' : `age${tone}`}"/>${text}</g>`;
}
