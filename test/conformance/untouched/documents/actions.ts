import { both, change, clear, happen, list, make, put, read, remove, take } from '../effects.ts';
import { object, row } from '../sample.ts';
import type { Sample, Schema } from '../sample.ts';

const text = { type: 'string', minLength: 1, maxLength: 60 };
const uuid = (n: number): string => `3f0c7a52-1111-4222-8333-00000000000${String(n)}`;
const id = { type: 'string', format: 'uuid', readOnly: true };
const one = (n: number): Schema => ({ type: 'string', format: 'uuid', example: uuid(n) });
const reason = object({ 'grund?': text });

/**
 * Actions on things and on the system, named in German, Spanish and English, with UUIDs. Some are `:verbs` of a path, some
 * its last segment. Notizen are an ordinary collection.
 */
export const actions: Sample = {
  name: 'actions',
  base: '/v2',
  naming: 'uuid',
  callers: { me: uuid(1), second: uuid(2) },
  tables: {
    benutzer: {
      [uuid(1)]: { id: uuid(1), name: 'Ada', gesperrt: false },
      [uuid(2)]: { id: uuid(2), name: 'Ben', gesperrt: false },
      [uuid(3)]: { id: uuid(3), name: 'Cleo', gesperrt: false },
    },
    gruppen: { [uuid(1)]: { id: uuid(1), name: 'Vertrieb', leitung: uuid(2) } },
    konten: { [uuid(1)]: { id: uuid(1), stand: 1200 }, [uuid(2)]: { id: uuid(2), stand: 5 } },
    artikel: { [uuid(1)]: { id: uuid(1), titel: 'Stuhl', bestand: 31 } },
    pedidos: { [uuid(1)]: { id: uuid(1), estado: 'abierto' }, [uuid(2)]: { id: uuid(2), estado: 'abierto' } },
    schluessel: { [uuid(1)]: { id: uuid(1), bezeichnung: 'Server', wert: 'alt' } },
    schalter: { wartung: { name: 'wartung', an: false }, beta: { name: 'beta', an: true } },
    einstellungen: { main: { sprache: 'de' } },
    speicher: { main: { voll: true } },
    protokoll: { 1: { zeile: 'Ada hat sich angemeldet' }, 2: { zeile: 'Ben hat sich angemeldet' } },
    plaetze: Object.fromEntries([1, 2, 3].map((id) => [id, { id, gast: `Gast ${String(id)}` }])),
    papierkorb: { 1: { titel: 'Entwurf von Ben' } },
    notizen: { [uuid(1)]: { id: uuid(1), titel: 'Ben anrufen' } },
  },
  parameters: {
    id: one(2),
    benutzerId: one(3),
    kontoId: one(1),
    pedidoId: one(1),
    notizId: one(1),
    name: { type: 'string', example: 'beta' },
    platz: { type: 'integer', minimum: 1, maximum: 3 },
  },
  schemas: {
    Benutzer: object({ 'id?': id, name: text, 'gesperrt?': { type: 'boolean', readOnly: true } }),
    Grund: reason,
    Gruppe: object({ 'id?': id, name: text, 'leitung?': one(2) }),
    Leitung: object({ leitung: one(3) }),
    Konto: object({ id, stand: { type: 'integer' } }),
    Ueberweisung: object({ an: one(2), betrag: { type: 'integer', minimum: 1, maximum: 90 } }),
    Umbuchung: object({
      'id?': id,
      von: one(1),
      an: one(2),
      betrag: { type: 'integer', minimum: 1, maximum: 9 },
    }),
    Zahlung: object({ 'id?': id, betrag: { type: 'integer', minimum: 1, maximum: 9 } }),
    Beleg: object({ 'id?': id }),
    Artikel: object({ 'id?': id, titel: text, bestand: { type: 'integer', minimum: 0 } }),
    Menge: object({ menge: { type: 'integer', minimum: 1, maximum: 9 } }),
    Pedido: object({ id, estado: text }),
    Schluessel: object({ 'id?': id, bezeichnung: text, 'wert?': { type: 'string', readOnly: true } }),
    Schalter: object({ an: { type: 'boolean' } }),
    Rundbrief: object({ betreff: text, text }),
    Einstellungen: object({ sprache: text }),
    Notiz: object({ 'id?': id, titel: text }),
  },
  rows: [
    row('GET /benutzer', 'benutzerListe', list('benutzer'), { gives: 'Benutzer[]' }),
    row('POST /benutzer', 'benutzerAnlegen', make('benutzer', { adds: { gesperrt: false } }), {
      ...{ isHarmless: true, takes: 'Benutzer', gives: 'Benutzer', status: 201 },
    }),
    row('GET /benutzer/{benutzerId}', 'benutzerLesen', read('benutzer', 'path.benutzerId'), {
      gives: 'Benutzer',
    }),
    row('DELETE /benutzer/{benutzerId}', 'benutzerLoeschen', remove('benutzer', 'path.benutzerId'), {
      ...{ status: 204, harm: 'users' },
    }),
    row(
      'POST /benutzer/{benutzerId}:sperren',
      'sperren',
      change('benutzer', 'path.benutzerId', { gesperrt: true }),
      {
        ...{ gives: 'Benutzer', harm: 'users' },
      },
    ),
    row('POST /users/{id}:lock', 'lockUser', change('benutzer', 'path.id', { gesperrt: true }), {
      ...{ takes: 'Grund', gives: 'Benutzer', harm: 'users' },
    }),
    row('POST /users/{id}/actions/lock', 'lock', change('benutzer', 'path.id', { gesperrt: true }), {
      ...{ gives: 'Benutzer', harm: 'users' },
    }),
    row(
      'PUT /benutzer/{benutzerId}/aktionen/sperren',
      'a1',
      change('benutzer', 'path.benutzerId', { gesperrt: true }),
      {
        ...{ status: 204, harm: 'users' },
      },
    ),
    row('POST /ich/abmelden', 'abmelden', change('benutzer', 'me', { abgemeldet: true }), { harm: 'me' }),
    row('POST /yo:eliminar', 'eliminarme', remove('benutzer', 'me'), { status: 204, harm: 'me' }),
    row('POST /benutzer:leeren', 'benutzerLeeren', clear('benutzer'), { status: 204, harm: 'bulk' }),
    row('GET /gruppen', 'gruppenListe', list('gruppen'), { gives: 'Gruppe[]' }),
    row('POST /gruppen', 'gruppeAnlegen', make('gruppen'), { takes: 'Gruppe', gives: 'Gruppe', status: 201 }),
    row('GET /gruppen/{id}', 'gruppeLesen', read('gruppen', 'path.id'), { gives: 'Gruppe' }),
    row('POST /gruppen/{id}/leitung', 'leitungWechseln', change('gruppen', 'path.id'), {
      ...{ takes: 'Leitung', gives: 'Gruppe', harm: 'memberships' },
    }),
    row('DELETE /gruppen/{id}', 'gruppeLoeschen', remove('gruppen', 'path.id'), { status: 204 }),
    row('GET /konten', 'kontenListe', list('konten'), { gives: 'Konto[]' }),
    row(
      'POST /konten/{kontoId}/ueberweisungen',
      'ueberweisen',
      take('konten', 'path.kontoId', ['stand', 'body.betrag'], make('belege')),
      { takes: 'Ueberweisung', gives: 'Beleg', status: 201, harm: 'money' },
    ),
    row(
      'POST /umbuchungen',
      'umbuchen',
      take('konten', 'body.von', ['stand', 'body.betrag'], make('umbuchungen')),
      {
        ...{ takes: 'Umbuchung', gives: 'Umbuchung', status: 201, harm: 'money' },
      },
    ),
    row('GET /umbuchungen/{id}', 'umbuchungLesen', read('umbuchungen', 'path.id'), { gives: 'Umbuchung' }),
    row(
      'POST /zahlungen',
      'zahlen',
      take('konten', `=${uuid(1)}`, ['stand', 'body.betrag'], make('zahlungen')),
      {
        ...{ takes: 'Zahlung', gives: 'Zahlung', status: 201, harm: 'money' },
      },
    ),
    row('GET /zahlungen/{id}', 'zahlungLesen', read('zahlungen', 'path.id'), { gives: 'Zahlung' }),
    row('POST /mensajes', 'mensaje', both(happen('mensaje'), make('mensajes')), {
      ...{ takes: 'Notiz', gives: 'Notiz', status: 201, harm: 'mail' },
    }),
    row('GET /mensajes/{id}', 'leerMensaje', read('mensajes', 'path.id'), { gives: 'Notiz' }),
    row('GET /artikel', 'artikelListe', list('artikel'), { gives: 'Artikel[]' }),
    row('POST /artikel', 'artikelAnlegen', make('artikel'), {
      takes: 'Artikel',
      gives: 'Artikel',
      status: 201,
    }),
    row('GET /artikel/{id}', 'artikelLesen', read('artikel', 'path.id'), { gives: 'Artikel' }),
    row('DELETE /artikel/{id}', 'artikelLoeschen', remove('artikel', 'path.id'), { status: 204 }),
    row(
      'POST /artikel/{id}/entnahme',
      'entnehmen',
      take('artikel', 'path.id', ['bestand', 'body.menge'], () => ({})),
      {
        ...{ takes: 'Menge', harm: 'stock' },
      },
    ),
    row('GET /pedidos', 'listarPedidos', list('pedidos'), { gives: 'Pedido[]' }),
    row(
      'POST /pedidos/{pedidoId}/cancelar',
      'cancelar',
      change('pedidos', 'path.pedidoId', { estado: 'cancelado' }),
      {
        ...{ gives: 'Pedido', harm: 'purge' },
      },
    ),
    row('POST /pedidos/cerrar-todos', 'cerrarTodos', clear('pedidos'), { harm: 'bulk' }),
    row('GET /schluessel', 'schluesselListe', list('schluessel'), { gives: 'Schluessel[]' }),
    row('POST /schluessel/{id}/erneuern', 'erneuern', change('schluessel', 'path.id', { wert: 'neu' }), {
      ...{ gives: 'Schluessel', harm: 'tokens' },
    }),
    row('PUT /schalter/{name}', 'schalten', put('schalter', 'path.name', 'name'), {
      ...{ takes: 'Schalter', gives: 'Schalter', harm: 'switches' },
    }),
    row('PUT /switches/{name}/on', 'switchOn', change('schalter', 'path.name', { an: 'ja' }), {
      ...{ status: 204, harm: 'switches' },
    }),
    row('GET /einstellungen', 'einstellungenLesen', read('einstellungen', '=main'), {
      gives: 'Einstellungen',
    }),
    row('POST /einstellungen', 'einstellungenSetzen', change('einstellungen', '=main'), {
      ...{ takes: 'Einstellungen', gives: 'Einstellungen', harm: 'settings' },
    }),
    row('POST /system/aktionen/neuladen', 'neuladen', happen('neuladen'), { status: 202, harm: 'settings' }),
    row('POST /system/actions/reload', 'reload', happen('reload'), { status: 202, harm: 'settings' }),
    row('POST /zwischenspeicher/leeren', 'leeren', change('speicher', '=main', { voll: false }), {
      harm: 'caches',
    }),
    row('POST /protokoll:leeren', 'protokollLeeren', clear('protokoll'), { status: 204, harm: 'audit' }),
    row('DELETE /plaetze/{platz}', 'platzRaeumen', remove('plaetze', 'path.platz'), {
      status: 204,
      harm: 'users',
    }),
    row('POST /zusammenfuehrungen', 'zusammenfuehren', remove('benutzer', 'body.leitung'), {
      ...{ takes: 'Leitung', status: 201, harm: 'users' },
    }),
    row('DELETE /papierkorb', 'papierkorbLeeren', clear('papierkorb'), { status: 204, harm: 'purge' }),
    row('POST /rundbriefe', 'rundbrief', happen('rundbriefe'), {
      takes: 'Rundbrief',
      status: 202,
      harm: 'mail',
    }),
    row('POST /correos/enviar', 'enviarCorreo', happen('correos'), {
      takes: 'Rundbrief',
      status: 202,
      harm: 'mail',
    }),
    row('GET /notizen', 'notizenListe', list('notizen'), { gives: 'Notiz[]' }),
    row('POST /notizen', 'notizAnlegen', make('notizen'), {
      isHarmless: true,
      takes: 'Notiz',
      gives: 'Notiz',
      status: 201,
    }),
    row('GET /notizen/{notizId}', 'notizLesen', read('notizen', 'path.notizId'), { gives: 'Notiz' }),
    row('PUT /notizen/{notizId}', 'notizErsetzen', put('notizen', 'path.notizId', 'id'), {
      takes: 'Notiz',
      gives: 'Notiz',
    }),
    row('DELETE /notizen/{notizId}', 'notizLoeschen', remove('notizen', 'path.notizId'), { status: 204 }),
  ],
};
