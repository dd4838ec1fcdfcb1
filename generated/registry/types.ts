// Generated from specs/registry.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

/** A version to publish. */
export interface PublishNodeVersionRequest {
  node: Node;
  node_version: NodeVersionInput;
  /**
   * A secret token that gives the right to publish for the publisher.
   * Format `password`.
   */
  personal_access_token: string;
}

/** The version that was added, and the address for its archive. */
export interface PublishNodeVersionResponse {
  node_version: NodeVersion;
  /** The address for the upload of the archive. It works without a credential, so keep it out of logs. */
  signedUrl: string;
}

/** A node of the registry. Every member is optional. */
export interface Node {
  /** The id of the node. */
  id?: string;
  /** The display name. */
  name?: string;
  /** What the node does. */
  description?: string;
  /** The author. */
  author?: string;
  /** The address of the banner. */
  banner_url?: string;
  /** The address of the icon. */
  icon?: string;
  /**
   * Use tags instead. This member will be removed.
   * @deprecated
   */
  category?: string;
  /** Keywords. */
  tags?: string[];
  /** Keywords that administrators set, such as security warnings. */
  tags_admin?: string[];
  /**
   * The time of creation.
   * Format `date-time`.
   */
  created_at?: string;
  /** The number of downloads. */
  downloads?: number;
  /** The number of stars of the repository. */
  code_host_stars?: number;
  /** The average rating. */
  rating?: number;
  /** The rank in search results. */
  search_ranking?: number;
  /** The path of the licence in the repository. */
  license?: string;
  /** The address of the source code. */
  repository?: string;
  latest_version?: NodeVersionInput;
  publisher?: Publisher;
  status?: NodeStatus;
  /** The reason for the status. */
  status_detail?: string;
  /** The nodes of the host application that it replaces. */
  preempted_service_node_names?: string[];
  /** The kinds of accelerator that it supports. */
  supported_accelerators?: string[];
  /** The supported versions of the host application. */
  supported_app_version?: string;
  /** The supported versions of the front end. */
  supported_app_frontend_version?: string;
  /** The supported operating systems. */
  supported_os?: string[];
  /** Its texts in other languages, by language. */
  translations?: {
    [key: string]: {
      [key: string]: unknown;
    };
  };
}

/** One version of a node. */
export interface NodeVersion {
  /** The id of the version. */
  id?: string;
  /** The id of the node. */
  node_id?: string;
  /** A semantic version that no other version of the node has. */
  version?: string;
  /** A summary of the changes. */
  changelog?: string;
  /**
   * The time of creation.
   * Format `date-time`.
   */
  createdAt?: string;
  /** The pip packages that it needs. */
  dependencies?: string[];
  /** Whether it should no longer be used. */
  deprecated?: boolean;
  /** The address of the download, set by the registry. */
  readonly downloadUrl?: string;
  status?: NodeVersionStatus;
  /** The reason for the status. */
  status_reason?: string;
  /** The progress of the extraction of its nodes. */
  service_node_extract_status?: string;
  /** The kinds of accelerator that it supports. */
  supported_accelerators?: string[];
  /** The supported versions of the host application. */
  supported_app_version?: string;
  /** The supported versions of the front end. */
  supported_app_frontend_version?: string;
  /** The supported operating systems. */
  supported_os?: string[];
  /** Keywords. */
  tags?: string[];
  /** Keywords that administrators set. */
  tags_admin?: string[];
}

/** One version of a node. */
export interface NodeVersionInput {
  /** The id of the version. */
  id?: string;
  /** The id of the node. */
  node_id?: string;
  /** A semantic version that no other version of the node has. */
  version?: string;
  /** A summary of the changes. */
  changelog?: string;
  /**
   * The time of creation.
   * Format `date-time`.
   */
  createdAt?: string;
  /** The pip packages that it needs. */
  dependencies?: string[];
  /** Whether it should no longer be used. */
  deprecated?: boolean;
  status?: NodeVersionStatus;
  /** The reason for the status. */
  status_reason?: string;
  /** The progress of the extraction of its nodes. */
  service_node_extract_status?: string;
  /** The kinds of accelerator that it supports. */
  supported_accelerators?: string[];
  /** The supported versions of the host application. */
  supported_app_version?: string;
  /** The supported versions of the front end. */
  supported_app_frontend_version?: string;
  /** The supported operating systems. */
  supported_os?: string[];
  /** Keywords. */
  tags?: string[];
  /** Keywords that administrators set. */
  tags_admin?: string[];
}

/** A publisher of nodes. */
export interface Publisher {
  /** The id of the publisher, like a user name. Lower case. */
  id?: string;
  /** The display name. */
  name?: string;
  /** A description of the publisher. */
  description?: string;
  /** The address of the logo. */
  logo?: string;
  /** The address of the website. */
  website?: string;
  /** The address for support. */
  support?: string;
  /** The address of the source code. */
  source_code_repo?: string;
  /**
   * The time of creation.
   * Format `date-time`.
   */
  createdAt?: string;
  status?: PublisherStatus;
  /** The members of the publisher. */
  members?: PublisherMember[];
}

/** A member of a publisher. */
export interface PublisherMember {
  /** The id of the membership. */
  id?: string;
  /** The role of the user. */
  role?: string;
  user?: PublisherUser;
}

/** A person. The members are personal data. */
export interface PublisherUser {
  /** The id of the user. */
  id?: string;
  /** The name of the user. */
  name?: string;
  /** The email address of the user. */
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

/** The reason of a failure. */
export interface ErrorResponse {
  /** The code of the failure. */
  error: string;
  /** The explanation in words. */
  message: string;
}

/** A picture, and the strength of the changes. */
export interface SkinEnhancementRequest {
  /** The picture, in Base64 or as a public HTTPS address. */
  image?: string;
  /**
   * The strength of the sharpening.
   * From 0 to 100.
   */
  sharpen?: number;
  /**
   * The strength of the added grain.
   * From 0 to 100.
   */
  smart_grain?: number;
  /** The address for notifications about the work. Optional. */
  webhook_url?: string;
}

/** The task that has begun. */
export interface SkinEnhancementResponse {
  /** The task. */
  data?: {
    /** The results so far. */
    generated?: string[];
    /** The status of the task. */
    status?: string;
    /**
     * The id of the task.
     * Format `uuid`.
     */
    task_id?: string;
  };
}

/** What `publishNodeVersion` sends. */
export type PublishNodeVersionBody = PublishNodeVersionRequest;

/** What `publishNodeVersion` takes. */
export type PublishNodeVersionParameters = {
  /** The publisher of the node. */
  publisherId: string;
  /** The node. */
  nodeId: string;
  /** The node, the new version, and the token that gives the right to publish it. */
  body: PublishNodeVersionBody;
};

/** What `publishNodeVersion` is answered with, by status. */
export interface PublishNodeVersionResponses {
  /** The version has been added. */
  201: PublishNodeVersionResponse;
  /** The request is not valid. */
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
  /** The partner that does the work. */
  partner: string;
  /** The picture, and the strength of the changes. */
  body?: StartSkinEnhancementBody | undefined;
};

/** What `startSkinEnhancement` is answered with, by status. */
export interface StartSkinEnhancementResponses {
  /** The work has begun. */
  200: SkinEnhancementResponse;
  /** The work was not begun. The contract leaves the status open. */
  default: ErrorResponse;
}

