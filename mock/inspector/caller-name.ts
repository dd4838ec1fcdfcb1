/** The short name of a caller: `key ok+alice` becomes `ok+alice`. A caller without a credential has no name. */
export function callerName(scope: string | undefined): string {
  if (scope === undefined) return '–';
  return scope.replace(/^key /, '').replace(/\+$/, '');
}
