import type * as TypeScript from 'typescript';

type Node = TypeScript.Node;
type Statement = TypeScript.Statement;

/**
 * Leaves out variables that are never read, assignments to them, and branches that are empty then. ajv leaves such
 * behind, and compilers complain about them. What initialises them has no effect but its value.
 */
export function withoutUnread(ts: typeof TypeScript, statements: readonly Statement[]): Statement[] {
  let current = [...statements];
  for (;;) {
    const read = namesRead(ts, current);
    let changed = false;
    const next = current.flatMap((statement) => clean(ts, statement, read, () => (changed = true)));
    if (!changed) return next;
    current = next;
  }
}

// --- internal ---

/** The names that are read: every identifier but those that are declared or assigned to. */
function namesRead(ts: typeof TypeScript, statements: readonly Statement[]): Set<string> {
  const read = new Set<string>();
  const visit = (node: Node): void => {
    if (ts.isIdentifier(node)) {
      // Code that was put together as text is one identifier to the compiler.
      for (const name of node.text.match(/[\w$]+/g) ?? []) read.add(name);
      return;
    }
    if (ts.isVariableDeclaration(node)) {
      if (node.initializer !== undefined) visit(node.initializer);
      return;
    }
    if (ts.isExpressionStatement(node) && isAssignment(ts, node.expression)) {
      visit(node.expression.right);
      return;
    }
    ts.forEachChild(node, visit);
  };
  statements.forEach(visit);
  return read;
}

function isAssignment(
  ts: typeof TypeScript,
  node: Node,
): node is TypeScript.BinaryExpression & { left: TypeScript.Identifier } {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isIdentifier(node.left) &&
    /^[\w$]+$/.test(node.left.text)
  );
}

function clean(
  ts: typeof TypeScript,
  statement: Statement,
  read: ReadonlySet<string>,
  onChange: () => void,
): Statement[] {
  const f = ts.factory;
  const block = (node: Statement): TypeScript.Block =>
    f.createBlock(
      (ts.isBlock(node) ? [...node.statements] : [node]).flatMap((inner) => clean(ts, inner, read, onChange)),
      true,
    );
  const drop = (): Statement[] => {
    onChange();
    return [];
  };

  if (ts.isVariableStatement(statement)) {
    const [declared] = statement.declarationList.declarations;
    return declared !== undefined && ts.isIdentifier(declared.name) && !read.has(declared.name.text)
      ? drop()
      : [statement];
  }
  if (ts.isExpressionStatement(statement)) {
    return isAssignment(ts, statement.expression) && !read.has(statement.expression.left.text)
      ? drop()
      : [statement];
  }
  if (ts.isBlock(statement)) return [block(statement)];
  if (ts.isIfStatement(statement)) {
    const then = block(statement.thenStatement);
    const { elseStatement } = statement;
    const otherwise =
      elseStatement === undefined
        ? undefined
        : ts.isIfStatement(elseStatement)
          ? clean(ts, elseStatement, read, onChange)[0]
          : block(elseStatement);
    const isElseEmpty =
      otherwise === undefined || (ts.isBlock(otherwise) && otherwise.statements.length === 0);
    if (then.statements.length === 0 && isElseEmpty) return drop();
    if (then.statements.length === 0 && otherwise !== undefined) {
      onChange();
      return [f.createIfStatement(negated(ts, statement.expression), otherwise)];
    }
    return [f.updateIfStatement(statement, statement.expression, then, isElseEmpty ? undefined : otherwise)];
  }
  if (ts.isForStatement(statement)) {
    const body = block(statement.statement);
    if (body.statements.length === 0) return drop();
    return [
      f.updateForStatement(
        statement,
        statement.initializer,
        statement.condition,
        statement.incrementor,
        body,
      ),
    ];
  }
  if (ts.isForInStatement(statement)) {
    const body = block(statement.statement);
    return body.statements.length === 0
      ? drop()
      : [f.updateForInStatement(statement, statement.initializer, statement.expression, body)];
  }
  return [statement];
}

function negated(ts: typeof TypeScript, expression: TypeScript.Expression): TypeScript.Expression {
  return ts.factory.createPrefixUnaryExpression(
    ts.SyntaxKind.ExclamationToken,
    ts.factory.createParenthesizedExpression(expression),
  );
}
