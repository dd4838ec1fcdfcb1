/**
 * A caller as people know it: `key ok+alice` is `ok+alice`, that is the key of the mock that ends so. Somebody without a
 * credential has no name.
 */
export function callerName(scope: string | undefined): string {
  if (scope === undefined) return '–';
  return scope.replace(/^key /, '').replace(/\+$/, '');
}
