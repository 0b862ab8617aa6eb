import jsep from 'jsep';

/** Conditions of sections and site spaces as expressions, and the claims that they use. */

export type Expression = jsep.Expression;
export type Node = jsep.CoreExpression;

/** A claim: its name, and whether it is one of `unsigned`. */
export interface ClaimName {
  unsigned: boolean;
  name: string;
}

/** `beta`, `unsigned.beta`; the platform's text. */
export function claimText({ unsigned, name }: ClaimName): string {
  return unsigned ? `unsigned.${name}` : name;
}

/** The platform takes 1,024 characters; what a later one may take has an end, too. */
const longest = 20_000;

/** @returns the reason, as the rest of a sentence, where it cannot be parsed */
export function parseCondition(condition: string): { node: Expression } | { why: string } {
  if (condition.length > longest) return { why: `it is longer than ${longest} characters` };
  jsep.addBinaryOp('in', 7);
  try {
    return { node: jsep(condition) };
  } catch (error) {
    // The parser throws errors of its own; of a deep one the stack ends.
    const { description, index } = error as { description?: string; index?: number };
    if (description === undefined) return { why: 'it is nested too deeply' };
    const end = index !== undefined && index >= condition.length;
    const what = end ? 'Unexpected end' : description.replace(/\.$/, '');
    return { why: `${what} at character ${(index ?? 0) + 1}` };
  }
}

/** Whether it is `visitor.claims`, the one name that conditions know. */
export function isClaims(node: Expression): boolean {
  const { type, object, property, computed } = node as jsep.MemberExpression;
  if (type !== 'MemberExpression' || object.type !== 'Identifier' || object.name !== 'visitor') return false;
  return computed
    ? property.type === 'Literal' && property.value === 'claims'
    : property.type === 'Identifier' && property.name === 'claims';
}

/** The name of a member that the text itself gives; undefined where it is computed. */
export function nameOf({ property, computed }: jsep.MemberExpression): string | undefined {
  if (!computed) return property.type === 'Identifier' ? String(property.name) : undefined;
  const { value } = property as jsep.Literal;
  return property.type === 'Literal' && (typeof value === 'string' || typeof value === 'number')
    ? String(value)
    : undefined;
}

export interface Uses {
  claims: ClaimName[];
  /** Whether it may use any claim: one whose name is computed, or all of them. */
  any: boolean;
}

/** The claims that an expression names, once each, in the order of the text. */
export function usesOf(node: Expression): Uses {
  const found = new Map<string, ClaimName>();
  let any = false;
  const use = (path: readonly (string | undefined)[]): void => {
    const [first, second] = path;
    const claim =
      first === 'unsigned'
        ? second !== undefined && { unsigned: true, name: second }
        : first !== undefined && { unsigned: false, name: first };
    if (claim) found.set(`${claim.unsigned} ${claim.name}`, claim);
    else any = true;
  };
  const rest: Expression[] = [node];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const path = claimPath(next);
    if (path !== undefined) {
      use(path.names);
      // What is computed may use claims, too.
      rest.push(...path.computed.reverse());
    } else rest.push(...partsOf(next as Node).reverse());
  }
  return { claims: [...found.values()], any };
}

/** The names after `visitor.claims`, of a member of it or of `"x" in visitor.claims`. */
function claimPath(node: Expression): { names: (string | undefined)[]; computed: Expression[] } | undefined {
  const { type, left, right, operator } = node as jsep.BinaryExpression;
  if (type === 'BinaryExpression' && operator === 'in') {
    const base = memberPath(right);
    if (base === undefined) return undefined;
    const { value } = left as jsep.Literal;
    const isText = left.type === 'Literal' && typeof value === 'string';
    return {
      names: [...base.names, isText ? value : undefined],
      computed: isText ? base.computed : [left, ...base.computed],
    };
  }
  return memberPath(node);
}

function memberPath(node: Expression): { names: (string | undefined)[]; computed: Expression[] } | undefined {
  const names: (string | undefined)[] = [];
  const computed: Expression[] = [];
  let at = node;
  while (!isClaims(at)) {
    if (at.type !== 'MemberExpression') return undefined;
    const member = at as jsep.MemberExpression;
    const name = nameOf(member);
    names.unshift(name);
    if (name === undefined) computed.unshift(member.property);
    at = member.object;
  }
  return { names, computed };
}

/** The expressions inside one that names no claim by itself. */
function partsOf(node: Node): Expression[] {
  switch (node.type) {
    case 'UnaryExpression':
      return [node.argument];
    case 'BinaryExpression':
      return [node.left, node.right];
    case 'ConditionalExpression':
      return [node.test, node.consequent, node.alternate];
    case 'ArrayExpression':
      return node.elements.filter((element) => element !== null);
    case 'MemberExpression':
      return [node.object, ...(node.computed ? [node.property] : [])];
    case 'CallExpression':
      return [node.callee, ...node.arguments];
    case 'Compound':
      return node.body;
    case 'SequenceExpression':
      return node.expressions;
    default:
      return [];
  }
}
