import { isReference, type PlacedObject } from '../document/object-kinds.ts';
import { repairExamples, repairExampleValues } from './examples.ts';
import {
  repairContent,
  repairItemSchema,
  repairMediaType,
  repairMediaTypeLess,
  repairMediaTypePlaces,
  repairMediaTypes,
} from './media-types.ts';
import { repairMethods, repairOperation } from './operation-members.ts';
import { repairContentOrSchema, repairHeader, repairParameter } from './parameters.ts';
import type { Repaired } from './repair-list.ts';
import { repairBodyMembers, repairRequestBody } from './request-bodies.ts';
import { repairHeaderTypes, repairResponse } from './responses.ts';
import { repairSchemeMembers, repairSecurityScheme } from './security-schemes.ts';
import { repairServer, repairServerVariable } from './servers.ts';

/** Repairs slips in the objects of OpenAPI other than schemas. */
export function repairObject(object: PlacedObject, repaired: Repaired): void {
  if (isReference(object)) return;
  switch (object.kind) {
    case 'response':
      repairMediaTypePlaces(object, repaired);
      repairHeaderTypes(object, repaired);
      repairContent(object, repaired);
      repairMediaTypeLess(object, repaired);
      repairMediaTypes(object, repaired);
      return repairResponse(object, repaired);
    case 'operation':
      return repairOperation(object, repaired);
    case 'path item':
      return repairMethods(object, repaired);
    case 'parameter':
      repairParameter(object, repaired);
      repairContentOrSchema(object, repaired);
      return repairExamples(object, repaired);
    case 'header':
      repairHeader(object, repaired);
      repairContentOrSchema(object, repaired);
      return repairExamples(object, repaired);
    case 'media type':
      repairMediaType(object, repaired);
      repairItemSchema(object, repaired);
      return repairExamples(object, repaired);
    case 'request body':
      repairMediaTypePlaces(object, repaired);
      repairBodyMembers(object, repaired);
      repairRequestBody(object, repaired);
      repairMediaTypeLess(object, repaired);
      return repairMediaTypes(object, repaired);
    case 'components':
      return repairExampleValues(object, repaired);
    case 'server':
      return repairServer(object, repaired);
    case 'server variable':
      return repairServerVariable(object, repaired);
    case 'security scheme':
      repairSecurityScheme(object, repaired);
      return repairSchemeMembers(object, repaired);
    default:
      return undefined;
  }
}
