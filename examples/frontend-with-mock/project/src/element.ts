/** The element of the page with this id, of the kind that is expected. */
export function element<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} #${id}.`);
}

/** Adds a line to a list. What comes from a server is text and never markup. */
export function addLine(list: Element, text: string): void {
  const line = document.createElement('li');
  line.textContent = text;
  list.append(line);
}
