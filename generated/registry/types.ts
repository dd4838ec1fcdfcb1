// Generated from specs/registry.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

/** A version to publish. */
export interface PublishNodeVersionRequest {
  node: Node;
  node_version: NodeVersionInput;
  /**
   * A secret that shows the right to publish for the publisher.
   * Format `password`.
   */
  personal_access_token: string;
}

/** The version as it was entered, and where its archive goes. */
export interface PublishNodeVersionResponse {
  node_version: NodeVersion;
  /** Where to upload the archive. Whoever holds it may upload, so keep it out of logs. */
  signedUrl: string;
}

/** A node of the registry. Any of its members can be missing. */
export interface Node {
  /** Names the node in the registry. */
  id?: string;
  /** The name that people see. */
  name?: string;
  /** What the node does. */
  description?: string;
  /** Who wrote it. */
  author?: string;
  /** Where its banner is. */
  banner_url?: string;
  /** Where its icon is. */
  icon?: string;
  /**
   * Give tags instead; this one will go away.
   * @deprecated
   */
  category?: string;
  /** Keywords. */
  tags?: string[];
  /** Keywords that administrators set, such as security warnings. */
  tags_admin?: string[];
  /**
   * When it was entered.
   * Format `date-time`.
   */
  created_at?: string;
  /** How often it was downloaded. */
  downloads?: number;
  /** How many stars its repository has. */
  code_host_stars?: number;
  /** What its ratings average to. */
  rating?: number;
  /** Where it stands among search results. */
  search_ranking?: number;
  /** Where in its repository the licence is. */
  license?: string;
  /** Where its source code is. */
  repository?: string;
  latest_version?: NodeVersionInput;
  publisher?: Publisher;
  status?: NodeStatus;
  /** Why it has this status. */
  status_detail?: string;
  /** The nodes of the host application that it takes the place of. */
  preempted_service_node_names?: string[];
  /** The kinds of accelerator that it can use. */
  supported_accelerators?: string[];
  /** The versions of the host application that it works with. */
  supported_app_version?: string;
  /** The versions of the front end that it works with. */
  supported_app_frontend_version?: string;
  /** The operating systems that it works on. */
  supported_os?: string[];
  /** What is said about it in other languages, by language. */
  translations?: {
    [key: string]: {
      [key: string]: unknown;
    };
  };
}

/** One version of a node. */
export interface NodeVersion {
  /** Names the version in the registry. */
  id?: string;
  /** The node that it is a version of. */
  node_id?: string;
  /** A semantic version that no other version of the node has. */
  version?: string;
  /** What has changed, in brief. */
  changelog?: string;
  /**
   * When it was entered.
   * Format `date-time`.
   */
  createdAt?: string;
  /** The pip packages that it needs. */
  dependencies?: string[];
  /** Whether it should not be used any more. */
  deprecated?: boolean;
  /** Where to download it. The registry sets it. */
  readonly downloadUrl?: string;
  status?: NodeVersionStatus;
  /** Why it has this status. */
  status_reason?: string;
  /** How far the extraction of its nodes has come. */
  service_node_extract_status?: string;
  /** The kinds of accelerator that it can use. */
  supported_accelerators?: string[];
  /** The versions of the host application that it works with. */
  supported_app_version?: string;
  /** The versions of the front end that it works with. */
  supported_app_frontend_version?: string;
  /** The operating systems that it works on. */
  supported_os?: string[];
  /** Keywords. */
  tags?: string[];
  /** Keywords that administrators set. */
  tags_admin?: string[];
}

/** One version of a node. */
export interface NodeVersionInput {
  /** Names the version in the registry. */
  id?: string;
  /** The node that it is a version of. */
  node_id?: string;
  /** A semantic version that no other version of the node has. */
  version?: string;
  /** What has changed, in brief. */
  changelog?: string;
  /**
   * When it was entered.
   * Format `date-time`.
   */
  createdAt?: string;
  /** The pip packages that it needs. */
  dependencies?: string[];
  /** Whether it should not be used any more. */
  deprecated?: boolean;
  status?: NodeVersionStatus;
  /** Why it has this status. */
  status_reason?: string;
  /** How far the extraction of its nodes has come. */
  service_node_extract_status?: string;
  /** The kinds of accelerator that it can use. */
  supported_accelerators?: string[];
  /** The versions of the host application that it works with. */
  supported_app_version?: string;
  /** The versions of the front end that it works with. */
  supported_app_frontend_version?: string;
  /** The operating systems that it works on. */
  supported_os?: string[];
  /** Keywords. */
  tags?: string[];
  /** Keywords that administrators set. */
  tags_admin?: string[];
}

/** Who publishes nodes. */
export interface Publisher {
  /** Names the publisher, as a user name would. Lower case. */
  id?: string;
  /** The name that people see. */
  name?: string;
  /** Who this is. */
  description?: string;
  /** Where its logo is. */
  logo?: string;
  /** Where its website is. */
  website?: string;
  /** Where to turn for help. */
  support?: string;
  /** Where its source code is. */
  source_code_repo?: string;
  /**
   * When it was entered.
   * Format `date-time`.
   */
  createdAt?: string;
  status?: PublisherStatus;
  /** Who acts for the publisher. */
  members?: PublisherMember[];
}

/** Somebody who acts for a publisher. */
export interface PublisherMember {
  /** Names the membership. */
  id?: string;
  /** The part that the user has there. */
  role?: string;
  user?: PublisherUser;
}

/** A person. These are personal data. */
export interface PublisherUser {
  /** Names the user. */
  id?: string;
  /** What the user is called. */
  name?: string;
  /** Where the user gets mail. */
  email?: string;
}

/** The state of a node. */
export type NodeStatus = 'NodeStatusActive' | 'NodeStatusDeleted' | 'NodeStatusBanned';

/** The state of a version of a node. */
export type NodeVersionStatus =
  | 'NodeVersionStatusActive'
  | 'NodeVersionStatusDeleted'
  | 'NodeVersionStatusBanned'
  | 'NodeVersionStatusPending'
  | 'NodeVersionStatusFlagged';

/** The state of a publisher. */
export type PublisherStatus = 'PublisherStatusActive' | 'PublisherStatusBanned';

/** Why the request failed. */
export interface ErrorResponse {
  /** What went wrong. */
  error: string;
  /** The same for people. */
  message: string;
}

/** A picture, and how strongly to work on it. */
export interface SkinEnhancementRequest {
  /** The picture, in Base64 or as an HTTPS address that anybody can read. */
  image?: string;
  /**
   * How strongly to sharpen.
   * From 0 to 100.
   */
  sharpen?: number;
  /**
   * How strong a grain to add.
   * From 0 to 100.
   */
  smart_grain?: number;
  /** Where to be told about the work, if at all. */
  webhook_url?: string;
}

/** The work that has begun. */
export interface SkinEnhancementResponse {
  /** The task. */
  data?: {
    /** What was made so far. */
    generated?: string[];
    /** How far the task has come. */
    status?: string;
    /**
     * Names the task.
     * Format `uuid`.
     */
    task_id?: string;
  };
}

/** What `publishNodeVersion` sends. */
export type PublishNodeVersionBody = PublishNodeVersionRequest;

/** What `publishNodeVersion` takes. */
export type PublishNodeVersionParameters = {
  /** Who publishes the node. */
  publisherId: string;
  /** The node. */
  nodeId: string;
  /** What is known of the node and of the new version, and the right to publish it. */
  body: PublishNodeVersionBody;
};

/** What `publishNodeVersion` is answered with, by status. */
export interface PublishNodeVersionResponses {
  /** The version is entered. */
  201: PublishNodeVersionResponse;
  /** The request holds something that does not fit. */
  400: ErrorResponse;
  /** The caller may not publish here. */
  403: ErrorResponse;
  /** The registry failed. */
  500: ErrorResponse;
}

/** What `startSkinEnhancement` sends. */
export type StartSkinEnhancementBody = SkinEnhancementRequest;

/** What `startSkinEnhancement` takes. */
export type StartSkinEnhancementParameters = {
  /** Which partner does the work. */
  partner: string;
  /** The picture, and how strongly to work on it. */
  body?: StartSkinEnhancementBody | undefined;
};

/** What `startSkinEnhancement` is answered with, by status. */
export interface StartSkinEnhancementResponses {
  /** The work has begun. */
  200: SkinEnhancementResponse;
  /** The work was not begun. Under which statuses this comes is open. */
  default: ErrorResponse;
}

