import { fault, type Fault } from '../faults.ts';

/** Thirty faults of a server of zones, each with the statement that it breaks. */
export const ZONE_FAULTS: readonly Fault[] = [
  // --- pages, filters and order ---
  fault(
    'last-full-page-links',
    'sheet',
    'Link with rel="next" leads to the next page, if there is one.',
    'A last page that is full has a Link to the empty page after it.',
  ),
  fault(
    'ties-turn-by-page',
    'sheet',
    'The pages of a list lead through all of it, and to no item twice.',
    'On pages with an even number, zones that are equal in what they are sorted by are in the reverse order.',
  ),
  fault(
    'unlocked-listed-as-locked',
    'sheet',
    'A list with a state has the zones in that state, and no others.',
    'Unlocking is forgotten by the lists: with a filter, an unlocked zone is found among the locked ones.',
  ),

  // --- tags and versions ---
  fault(
    'tag-by-second',
    'sheet',
    'A change gives a record set another tag.',
    'The tag has the second of the last change: two changes within one second have the same tag.',
  ),
  fault(
    'lost-set-if-match',
    'sheet',
    'A replacement that names another version is refused, and nothing is changed.',
    'If-Match is ignored where the name has no record set any more: the replacement creates one.',
  ),
  fault(
    'none-match-after-drop',
    'sheet',
    'A replacement with If-None-Match is refused only where the version that it excludes exists.',
    'If-None-Match: * is refused also for a name whose record set was dropped.',
  ),
  fault(
    'change-race',
    'sheet',
    'A change of a zone that names another version is refused.',
    'Changes that arrive at once with the same If-Match are all made.',
  ),
  fault(
    'tag-ignores-sets',
    'sheet',
    'The tag of a zone changes with each of its members, also with the number of its record sets.',
    'A record set more or less leaves the tag of the zone as it is.',
  ),

  // --- keys ---
  fault(
    'replay-forgets-location',
    'sheet',
    'The same call with the same key gets the recorded answer.',
    'The answer of the second time has no Location.',
  ),
  fault(
    'name-taken-spends-key',
    'sheet',
    'A creation that is refused leaves its key unused.',
    'A creation that is refused for a name that is taken uses up its key.',
  ),
  fault(
    'running-key-other-body',
    'sheet',
    'As long as the first call runs, every other call with the key is refused.',
    'With another body, it is made.',
  ),
  fault(
    'replay-repeats-request-id',
    'sheet',
    'Each answer has an X-Request-Id of its own.',
    'The recorded answer is given with the id of the first time.',
  ),
  fault(
    'change-key-any-case',
    'sheet',
    'A key is refused only after its first use, and keys that differ in case are different keys.',
    'A key that was used in another case is refused.',
  ),

  // --- names and bodies ---
  fault(
    'rename-other-case',
    'sheet',
    'A name belongs to one zone, and names that differ only in case are the same name.',
    'A zone can be renamed to the name of another zone in another case.',
  ),
  fault(
    'import-name-twice',
    'sheet',
    'A name that has a record set already, also by the same import, is refused with 409.',
    'The second of two record sets of an import with one name replaces the first.',
  ),
  fault(
    'restored-name-twice',
    'prose',
    'A zone whose name belongs to another zone by now cannot be restored.',
    'It is restored, and two zones have the name.',
  ),
  fault(
    'reserved-null',
    'sheet',
    'A body with the member dnssec or geo is refused, whatever its value.',
    'It is accepted where its value is null.',
  ),
  fault(
    'long-record-cut',
    'sheet',
    'A read shows a record set as it was sent; a record has up to 255 characters.',
    'Of a record with 255 characters, the last one is lost.',
  ),
  fault(
    'set-revived',
    'sheet',
    'A replacement that creates a record set has the members that were sent.',
    'A record set that is created under the name of a dropped one has its comment, if none is sent.',
  ),

  // --- lives ---
  fault(
    'refused-publish-renews',
    'sheet',
    'The time of publication is set once, and never changes afterwards.',
    'A second publication is refused, and renews the time.',
  ),
  fault(
    'retire-while-locked',
    'sheet',
    'A locked zone cannot be retired: only a draft or a published one can.',
    'A locked zone is retired.',
  ),
  fault(
    'restored-as-draft',
    'sheet',
    'A restored zone is as it was, with its state.',
    'A zone that was published is a draft afterwards.',
  ),
  fault(
    'retired-serial-grows',
    'sheet',
    'The serial of a retired zone stays as it is.',
    'A change of a retired zone or of its record sets is refused, and raises the serial.',
  ),
  fault(
    'below-gone-not-found',
    'sheet',
    'The code not_found is sent with 404 only.',
    'What is below a deleted zone is refused with 410 and the code not_found.',
  ),
  fault(
    'listed-outcome-null',
    'sheet',
    'The outcome of a pending change is left out, and never null.',
    'In the list, the outcome of a pending change is null.',
  ),

  // --- bounds ---
  fault(
    'restored-zone-uncounted',
    'sheet',
    'An account has at most 12 zones that are not deleted and not retired.',
    'Zones that were restored do not count.',
  ),
  fault(
    'cancelled-change-counts',
    'sheet',
    'At most 4 changes of an account are pending: one that is cancelled counts no longer.',
    'A cancelled change counts until the time at which it was due.',
  ),

  // --- callers ---
  fault(
    'former-owner-reads-sets',
    'sheet',
    'For every account but its own, a zone and what is below it do not exist.',
    'The account that gave a zone away still reads its record sets, one by one.',
  ),
  fault(
    'deleted-zone-told',
    'sheet',
    'A zone of another account is refused with 404.',
    'Other accounts get 410 for a deleted zone as well.',
  ),
  fault(
    'key-as-bearer-reads-only',
    'sheet',
    'A key gets the same answer in its header and as a bearer token.',
    'As a bearer token, a key is accepted for reads only.',
  ),
];
