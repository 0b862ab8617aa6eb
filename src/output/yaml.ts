import type { Document, Scalar } from 'yaml';
import type { ItemFormat } from './item-format.js';
import { isRawNumber, unicodeEscape } from './json.js';

/** Not printable in YAML, or able to reorder a line: written as escapes in double quotes. */
const unprintable = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]/u;
const eachUnprintable = new RegExp(unprintable, 'gu');

/** `compat` quotes what older readers would take for something else, such as `no`. */
const written = { version: '1.2', compat: 'yaml-1.1', aliasDuplicateObjects: false } as const;
const printed = { lineWidth: 0 } as const;

/** YAML: a list is one sequence, written item by item. */
export async function yamlFormat(): Promise<ItemFormat> {
  const { Document, isScalar, visit } = await import('yaml');
  const render = (value: unknown): string => {
    const document = new Document(value, bigNumbers, written);
    const text = document.toString(printed);
    return unprintable.test(text) ? quoted(document) : text;
  };
  const quoted = (document: Document): string => {
    visit(document, {
      Scalar: (_key, scalar: Scalar) => {
        if (isScalar(scalar) && typeof scalar.value === 'string' && unprintable.test(scalar.value)) {
          scalar.type = 'QUOTE_DOUBLE';
        }
      },
    });
    return document.toString(printed).replace(eachUnprintable, unicodeEscape);
  };
  let empty = true;
  return {
    items(values) {
      if (values.length > 0) empty = false;
      return values.length === 0 ? '' : render(values);
    },
    end: () => (empty ? '[]\n' : ''),
    one: render,
  };
}

/** Numbers kept as digits become integers of any size, which YAML has. */
function bigNumbers(_key: unknown, value: unknown): unknown {
  if (!isRawNumber(value)) return value;
  return /^-?\d+$/.test(value.rawJson) ? BigInt(value.rawJson) : Number(value.rawJson);
}
