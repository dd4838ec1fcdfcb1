/** The element of the page with this id, checked to be of the expected class. */
export function element<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} #${id}.`);
}

/** Adds a line to a list. Text of a server is inserted as text, never as markup. */
export function addLine(list: Element, text: string): void {
  const line = document.createElement('li');
  line.textContent = text;
  list.append(line);
}
