/** Where the keys of the objects of a JSON array stand: JSON.parse does not tell. */

export interface ObjectPlace {
  /** The line on which the object begins, from 1. */
  line: number;
  keys: { name: string; column: number }[];
}

/** A string, or anything else that matters for the structure. */
const token = /"(?:[^"\\]|\\.)*"|[[\]{},:\n]/g;

/**
 * The places of the objects right inside the array, and of their own keys, in order.
 * @param text valid JSON: an array
 */
export function keyPlaces(text: string): ObjectPlace[] {
  const places: ObjectPlace[] = [];
  let [depth, line, lineStart, wantsKey] = [0, 1, 0, false];
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === '\n') {
      line += 1;
      lineStart = index + 1;
    } else if (found === '{' || found === '[') {
      depth += 1;
      if (depth === 2) places.push({ line, keys: [] });
      wantsKey = depth === 2 && found === '{';
    } else if (found === '}' || found === ']') {
      depth -= 1;
      wantsKey = false;
    } else if (found === ',') {
      wantsKey = depth === 2;
    } else if (found !== ':' && wantsKey) {
      places.at(-1)?.keys.push({ name: JSON.parse(found) as string, column: index - lineStart + 1 });
      wantsKey = false;
    }
  }
  return places;
}
