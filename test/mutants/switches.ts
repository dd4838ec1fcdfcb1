import ts from 'typescript';

/** The branches that the switches of known faults (`broken.has(…)`) select if none is set. */
export interface Switches {
  /** The value that an expression then always has; undefined where a request decides. */
  value(node: ts.Node): boolean | undefined;
  /** What of a branching then runs; undefined where a request decides. */
  liveBranch(node: ts.Node): readonly ts.Node[] | undefined;
}

export function switchesOf(tree: ts.SourceFile): Switches {
  const named = new Map<string, boolean>();

  function value(node: ts.Node): boolean | undefined {
    if (ts.isParenthesizedExpression(node)) return value(node.expression);
    if (ts.isIdentifier(node)) return named.get(node.text);
    if (ts.isCallExpression(node)) return node.expression.getText() === 'broken.has' ? false : undefined;
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      const operand = value(node.operand);
      return operand === undefined ? undefined : !operand;
    }
    if (!ts.isBinaryExpression(node)) return undefined;
    const sides = [value(node.left), value(node.right)];
    switch (node.operatorToken.kind) {
      case ts.SyntaxKind.AmpersandAmpersandToken:
        return sides.includes(false) ? false : sides.includes(undefined) ? undefined : true;
      case ts.SyntaxKind.BarBarToken:
        return sides.includes(true) ? true : sides.includes(undefined) ? undefined : false;
      default:
        return undefined;
    }
  }

  /** Constants that hold a switch: those above come before those below. */
  const name = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      const held = value(node.initializer);
      if (held !== undefined) named.set(node.name.text, held);
    }
    node.forEachChild(name);
  };
  name(tree);

  return {
    value,
    liveBranch(node) {
      if (ts.isIfStatement(node)) {
        const held = value(node.expression);
        if (held === undefined) return undefined;
        return held ? [node.thenStatement] : node.elseStatement === undefined ? [] : [node.elseStatement];
      }
      if (!ts.isConditionalExpression(node)) return undefined;
      const held = value(node.condition);
      return held === undefined ? undefined : [held ? node.whenTrue : node.whenFalse];
    },
  };
}

/** What the second server has for its own tests and fixtures alone: no request asks for it. */
const FOR_TESTS =
  /^(?:counts\b|dispatches\b|(?:let )?hangUps\b|expiredCursor\b|stop\b|(?:export )?(?:function )?longAgo\b)/;

export function isForTests(node: ts.Node): boolean {
  const canBeLeftOut =
    ts.isStatement(node) || ts.isObjectLiteralElementLike(node) || ts.isFunctionDeclaration(node);
  return canBeLeftOut && FOR_TESTS.test(node.getText());
}
