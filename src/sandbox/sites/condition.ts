import type jsep from 'jsep';
import { refusal } from '../refusal.js';
import { requirePath } from '../values.js';

type Expression = jsep.Expression;

interface Addressed {
  body: { path?: string; condition?: string | null };
}

/** Checks the path and the condition of a section or site space; parses only a condition that is given. @throws 400 */
export async function requirePathAndCondition({ body: { path, condition } }: Addressed): Promise<void> {
  requirePath('path', path);
  if (typeof condition === 'string') requireCondition(condition, (await import('jsep')).default);
}

/**
 * Checks a condition (spec C): an expression over `visitor.claims`, such as
 * `visitor.claims.beta && visitor.claims.plan == "pro"`, with literals, operators, lists and methods. The
 * sandbox has no visitors, so it never evaluates one.
 * @throws 400
 */
function requireCondition(condition: string, parser: typeof jsep): void {
  const rest = [parse(condition, parser)];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) rest.push(...partsOf(next));
}

function parse(condition: string, parser: typeof jsep): Expression {
  parser.addBinaryOp('in', 7);
  try {
    return parser(condition);
  } catch (error) {
    const { description = 'Cannot parse it', index = 0 } = error as { description?: string; index?: number };
    const what =
      index >= condition.length ? 'Unexpected end of the expression' : description.replace(/\.$/, '');
    throw wrong(`${what} at character ${index + 1}`);
  }
}

/** The expressions inside an expression. @throws 400 unless it is of a kind that conditions have */
function partsOf(expression: Expression): Expression[] {
  const node = expression as jsep.CoreExpression;
  switch (node.type) {
    case 'Literal':
      return [];
    case 'UnaryExpression':
      return [node.argument];
    case 'BinaryExpression':
      return [node.left, node.right];
    case 'ConditionalExpression':
      return [node.test, node.consequent, node.alternate];
    case 'ArrayExpression':
      return node.elements.filter((element) => element !== null);
    case 'MemberExpression':
      return [...(isClaims(node) ? [] : [node.object]), ...(node.computed ? [node.property] : [])];
    case 'CallExpression':
      if (node.callee.type !== 'MemberExpression') throw wrong('only methods can be called');
      return [node.callee, ...node.arguments];
    case 'Identifier':
      throw wrong(`unknown name ${JSON.stringify(node.name)}; claims are visitor.claims.<name>`);
    default:
      throw wrong('it must be a single expression');
  }
}

/** Whether it is `visitor.claims`, the one name that conditions know. */
function isClaims({ object, property, computed }: jsep.MemberExpression): boolean {
  return !computed && object.type === 'Identifier' && object.name === 'visitor' && property.name === 'claims';
}

function wrong(why: string) {
  return refusal(400, `body condition is not a valid expression: ${why}.`);
}
