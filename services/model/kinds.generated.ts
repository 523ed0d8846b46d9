// Generated from crds/*.yaml by scripts/generate.ts; do not edit. `npm run gen` writes it again.
// Spec types have the schema's defaults applied, so a field with a default is always there.

import type { FieldSchema } from '#model/kind-schema.ts';

/** A Git repository that the forge serves. */
export type RepositorySpec = {
  /** One line for people, shown in lists and on the repository's page. */
  readonly description?: string;
  /** Who may read it without being named in access: everybody (public), everybody signed in (internal), nobody (private). */
  readonly visibility: 'public' | 'internal' | 'private';
  /** The branch that clones check out and pages show. */
  readonly defaultBranch: string;
  /** Where it is in addresses, such as team/project; the namespace and name when unset. */
  readonly path?: string;
  /** The hash of object ids; that of the source, else sha1, when unset. Cannot change. */
  readonly objectFormat?: 'sha1' | 'sha256';
  /** How refs are stored; the best this git can when unset. Cannot change. */
  readonly refFormat?: 'files' | 'reftable';
  /** Which GitPool holds it; the default pool when neither field is set. */
  readonly placement: {
    /** The name of a GitPool of the same namespace. */
    readonly pool?: string;
    /** Gives the repository a GitPool of its own. */
    readonly dedicated: boolean;
  };
  /** How much disk it may take, such as 20Gi: its quota in a shared pool, the size of its volume when dedicated. Only grows. */
  readonly storage?: string;
  /** Bounds of this repository; they can only be lower than those of the pool. */
  readonly limits: {
    /** The largest push, such as 100Mi; refused before it is unpacked. */
    readonly maxPushBytes?: string;
    /** The largest single file a push may bring, such as 10Mi. */
    readonly maxBlobBytes?: string;
    /** How many clones and fetches of it run at once. */
    readonly concurrency?: number;
    /** How many clones and fetches of it one client runs at once. */
    readonly perClientConcurrency?: number;
  };
  /** Who may do what, beyond what visibility gives to everybody. */
  readonly access: readonly ({
    /** The name of an account. */
    readonly user?: string;
    /** The name of a group of accounts. */
    readonly group?: string;
    /** What they may do; each role includes those before it. */
    readonly role: 'read' | 'triage' | 'write' | 'admin';
  })[];
  /** Branches that are safe from force pushes, deletion and unprivileged pushes. */
  readonly protectedBranches: readonly ({
    /** A glob on branch names, such as main or release/*. */
    readonly pattern: string;
    /** The role it takes to push to these branches. */
    readonly push: 'write' | 'admin';
    /** Whether a push may rewrite their history. */
    readonly allowForce: boolean;
    /** Whether a push may delete them. */
    readonly allowDeletion: boolean;
  })[];
  /** Where the repository's content comes from, once or again and again. */
  readonly source?: {
    /** An https, http, ssh or file address, or an absolute path, of a Git repository. */
    readonly url: string;
    /** Follows the source and refuses pushes; otherwise the source is imported once. */
    readonly mirror: boolean;
    /** How often a mirror asks its source, such as 10m. */
    readonly interval: string;
    /** A Secret of the same namespace with the source's username and password, or ssh key. */
    readonly secretRef?: {
      /** The name of the Secret. */
      readonly name: string;
    };
  };
  /** Readable as before, but refuses every write. */
  readonly archived: boolean;
  /** Serves nobody and is not reconciled; the data stays. */
  readonly suspend: boolean;
  /** What becomes of the data when this object is deleted. */
  readonly reclaimPolicy: 'Retain' | 'Delete';
};

/** A static site, published from a folder of a repository. */
export type SiteSpec = {
  /** The name of a Repository of the same namespace. */
  readonly repository: string;
  /** The branch or tag that is published; the repository's default branch when unset. */
  readonly ref?: string;
  /** The folder that is the site's root, such as docs/public; the whole tree when unset. */
  readonly directory?: string;
  /** Host names of your own, such as docs.example.org. */
  readonly hosts: readonly string[];
  /** How hosts get their certificate; the ingress's own when unset. */
  readonly tls?: {
    /** A Secret of type kubernetes.io/tls of the same namespace. */
    readonly secretName: string;
  };
  /** The file that is sent, with status 404, for a path that is not there. */
  readonly notFound: string;
  /** Sends index.html, with status 200, for a path that is not there. */
  readonly spaFallback: boolean;
  /** Who may see it, those who may read the repository or everybody. */
  readonly access: 'repository' | 'public';
  /** How many pods serve it. */
  readonly replicas: number;
};

/** A set of pods, each with a volume, that hold repositories. */
export type GitPoolSpec = {
  /** How many pods, each with a volume of its own. */
  readonly replicas: number;
  /** The size of each pod's volume, such as 100Gi. Only grows. */
  readonly storage: string;
  /** The class of the volumes; the cluster's default when unset. Cannot change. */
  readonly storageClassName?: string;
  /** What each pod asks for and may take, as in a container. */
  readonly resources: {
    /** What is reserved, by resource, such as cpu and memory. */
    readonly requests?: Readonly<Record<string, string | number>>;
    /** What is the most, by resource, such as cpu and memory. */
    readonly limits?: Readonly<Record<string, string | number>>;
  };
  /** A pod with this many repositories is given no more. */
  readonly maxRepositoriesPerPod: number;
  /** Labels that a node must have. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Taints of nodes that the pods tolerate. */
  readonly tolerations: readonly ({
    /** The taint; every taint when unset. */
    readonly key?: string;
    /** How the value is compared. */
    readonly operator: 'Exists' | 'Equal';
    /** The value to match. */
    readonly value?: string;
    /** The effect to match; every effect when unset. */
    readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
    /** How long a NoExecute taint is borne. */
    readonly tolerationSeconds?: number;
  })[];
  /** The PriorityClass of the pods. */
  readonly priorityClassName?: string;
  /** Over what the pods are spread. */
  readonly spread: 'node' | 'zone' | 'none';
};

/** The schema of each kind: rules on the whole object, and the schema of its spec. */
export const kindSchemas: Readonly<Record<'Repository' | 'Site' | 'GitPool', FieldSchema>> = {
  Repository: {
    "type": "object",
    "x-kubernetes-validations": [
      {
        "rule": "self.metadata.name.size() <= 100",
        "message": "the name of a repository has at most 100 characters"
      },
      {
        "rule": "has(self.spec.path) || !(self.metadata.name in ['tree', 'blob', 'raw', 'blame', 'commits', 'commit', 'compare', 'archive', 'branches', 'tags', 'issues', 'changes', 'releases', 'search', 'info', 'git-upload-pack', 'git-receive-pack'])",
        "message": "the name is a word of page addresses; choose another or give spec.path"
      },
      {
        "rule": "has(self.spec.path) || !self.metadata.name.matches('[.](git|lock)$')",
        "message": "the name must not end in .git or .lock; choose another or give spec.path"
      }
    ],
    "properties": {
      "spec": {
        "type": "object",
        "default": {},
        "x-kubernetes-validations": [
          {
            "rule": "!has(oldSelf.objectFormat) || has(self.objectFormat)",
            "message": "objectFormat cannot be removed once it is set",
            "fieldPath": ".objectFormat"
          },
          {
            "rule": "!has(oldSelf.refFormat) || has(self.refFormat)",
            "message": "refFormat cannot be removed once it is set",
            "fieldPath": ".refFormat"
          },
          {
            "rule": "!has(oldSelf.storage) || has(self.storage)",
            "message": "storage cannot be removed once it is set",
            "fieldPath": ".storage"
          }
        ],
        "properties": {
          "description": {
            "type": "string",
            "maxLength": 500
          },
          "visibility": {
            "type": "string",
            "enum": [
              "public",
              "internal",
              "private"
            ],
            "default": "private"
          },
          "defaultBranch": {
            "type": "string",
            "minLength": 1,
            "maxLength": 200,
            "default": "main",
            "x-kubernetes-validations": [
              {
                "rule": "self.matches('^[A-Za-z0-9_][A-Za-z0-9._/+@=-]*$')",
                "message": "a branch name starts with a letter, digit or \"_\" and holds letters, digits, and any of . _ / + @ = -"
              },
              {
                "rule": "!self.matches('[.][.]|//|/[.]|@\\\\{|[.]lock(/|$)|[./]$')",
                "message": "a branch name has no \"..\", \"//\" or \"/.\", and does not end in \".\", \"/\" or \".lock\""
              }
            ]
          },
          "path": {
            "type": "string",
            "maxLength": 200,
            "x-kubernetes-validations": [
              {
                "rule": "self.matches('^[^/]+(/[^/]+)+$')",
                "message": "a path has two segments or more, such as team/project, and no empty segment"
              },
              {
                "rule": "!self.matches('(^|/)[.]{1,2}(/|$)')",
                "message": "a path must not leave the data directory by \".\" or \"..\" segments"
              },
              {
                "rule": "self.matches('(^|/)[.]{1,2}(/|$)') || self.matches('^/?[A-Za-z0-9_][A-Za-z0-9._-]*(/+[A-Za-z0-9_][A-Za-z0-9._-]*)*/?$')",
                "message": "the segments of a path hold letters, digits, \".\", \"_\" and \"-\", and do not start with \".\" or \"-\""
              },
              {
                "rule": "!self.matches('^(api|search|assets|signin|signout|settings|admin|healthz|robots[.]txt|-)(/|$)')",
                "message": "the first segment of a path must not be one of the reserved words api, search, assets, signin, signout, settings, admin, healthz, robots.txt, -"
              },
              {
                "rule": "!self.matches('/(tree|blob|raw|blame|commits|commit|compare|archive|branches|tags|issues|changes|releases|search|info|git-upload-pack|git-receive-pack)(/|$)') && !self.matches('^(tree|blob|raw|blame|commits|commit|compare|archive|branches|tags|issues|changes|releases|info|git-upload-pack|git-receive-pack)/')",
                "message": "no segment of a path may be a word of page addresses such as tree, blob or issues"
              },
              {
                "rule": "!self.matches('[.](?i:git|lock)(/|$)')",
                "message": "no segment of a path may end in .git or .lock"
              }
            ]
          },
          "objectFormat": {
            "type": "string",
            "enum": [
              "sha1",
              "sha256"
            ],
            "x-kubernetes-validations": [
              {
                "rule": "self == oldSelf",
                "message": "objectFormat cannot change once it is set"
              }
            ]
          },
          "refFormat": {
            "type": "string",
            "enum": [
              "files",
              "reftable"
            ],
            "x-kubernetes-validations": [
              {
                "rule": "self == oldSelf",
                "message": "refFormat cannot change once it is set"
              }
            ]
          },
          "placement": {
            "type": "object",
            "default": {},
            "x-kubernetes-validations": [
              {
                "rule": "!(has(self.pool) && self.dedicated)",
                "message": "give either a pool or dedicated, not both"
              }
            ],
            "properties": {
              "pool": {
                "type": "string",
                "minLength": 1,
                "maxLength": 40,
                "x-kubernetes-validations": [
                  {
                    "rule": "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
                    "message": "the name of a pool holds lower-case letters, digits and \"-\""
                  }
                ]
              },
              "dedicated": {
                "type": "boolean",
                "default": false
              }
            }
          },
          "storage": {
            "type": "string",
            "maxLength": 20,
            "x-kubernetes-validations": [
              {
                "rule": "self.matches('^[1-9][0-9]*(Ki|Mi|Gi|Ti)?$')",
                "message": "a size is a whole number with Ki, Mi, Gi or Ti, such as 20Gi"
              },
              {
                "rule": "!self.matches('^[1-9][0-9]*(Ki|Mi|Gi|Ti)?$') || quantity(self).compareTo(quantity(oldSelf)) >= 0",
                "message": "storage only grows; it cannot be made smaller"
              }
            ]
          },
          "limits": {
            "type": "object",
            "default": {},
            "x-kubernetes-validations": [
              {
                "rule": "!has(self.concurrency) || !has(self.perClientConcurrency) || self.perClientConcurrency <= self.concurrency",
                "message": "perClientConcurrency cannot be above concurrency",
                "fieldPath": ".perClientConcurrency"
              }
            ],
            "properties": {
              "maxPushBytes": {
                "type": "string",
                "maxLength": 20,
                "x-kubernetes-validations": [
                  {
                    "rule": "self.matches('^[1-9][0-9]*(Ki|Mi|Gi|Ti)?$')",
                    "message": "a size is a whole number with Ki, Mi, Gi or Ti, such as 100Mi"
                  }
                ]
              },
              "maxBlobBytes": {
                "type": "string",
                "maxLength": 20,
                "x-kubernetes-validations": [
                  {
                    "rule": "self.matches('^[1-9][0-9]*(Ki|Mi|Gi|Ti)?$')",
                    "message": "a size is a whole number with Ki, Mi, Gi or Ti, such as 10Mi"
                  }
                ]
              },
              "concurrency": {
                "type": "integer",
                "minimum": 1,
                "maximum": 10000
              },
              "perClientConcurrency": {
                "type": "integer",
                "minimum": 1,
                "maximum": 10000
              }
            }
          },
          "access": {
            "type": "array",
            "maxItems": 200,
            "default": [],
            "items": {
              "type": "object",
              "required": [
                "role"
              ],
              "x-kubernetes-validations": [
                {
                  "rule": "has(self.user) != has(self.group)",
                  "message": "name exactly one user or one group"
                }
              ],
              "properties": {
                "user": {
                  "type": "string",
                  "minLength": 1,
                  "maxLength": 100
                },
                "group": {
                  "type": "string",
                  "minLength": 1,
                  "maxLength": 100
                },
                "role": {
                  "type": "string",
                  "enum": [
                    "read",
                    "triage",
                    "write",
                    "admin"
                  ]
                }
              }
            }
          },
          "protectedBranches": {
            "type": "array",
            "maxItems": 100,
            "default": [],
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": [
              "pattern"
            ],
            "items": {
              "type": "object",
              "required": [
                "pattern"
              ],
              "properties": {
                "pattern": {
                  "type": "string",
                  "minLength": 1,
                  "maxLength": 200,
                  "x-kubernetes-validations": [
                    {
                      "rule": "self.matches('^[A-Za-z0-9_*?][A-Za-z0-9._/+@=*?-]*$')",
                      "message": "a pattern is a branch name in which * and ? stand for any characters"
                    }
                  ]
                },
                "push": {
                  "type": "string",
                  "enum": [
                    "write",
                    "admin"
                  ],
                  "default": "write"
                },
                "allowForce": {
                  "type": "boolean",
                  "default": false
                },
                "allowDeletion": {
                  "type": "boolean",
                  "default": false
                }
              }
            }
          },
          "source": {
            "type": "object",
            "required": [
              "url"
            ],
            "properties": {
              "url": {
                "type": "string",
                "minLength": 1,
                "maxLength": 2000,
                "x-kubernetes-validations": [
                  {
                    "rule": "self.matches('^(https?://[^/]|ssh://[^/]|file:///|/)[^\\\\x00-\\\\x20\\\\x7f]*$')",
                    "message": "a source is an https, http, ssh or file address or an absolute path, without spaces"
                  },
                  {
                    "rule": "!self.matches('^[a-z]+://[^/@]*:[^/@]*@')",
                    "message": "a source holds no password; put it into a Secret and name that in secretRef"
                  }
                ]
              },
              "mirror": {
                "type": "boolean",
                "default": false
              },
              "interval": {
                "type": "string",
                "maxLength": 20,
                "default": "10m",
                "x-kubernetes-validations": [
                  {
                    "rule": "self.matches('^[1-9][0-9]*(s|m|h|d)$')",
                    "message": "an interval is a whole number with s, m, h or d, such as 10m"
                  }
                ]
              },
              "secretRef": {
                "type": "object",
                "required": [
                  "name"
                ],
                "properties": {
                  "name": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 253
                  }
                }
              }
            }
          },
          "archived": {
            "type": "boolean",
            "default": false
          },
          "suspend": {
            "type": "boolean",
            "default": false
          },
          "reclaimPolicy": {
            "type": "string",
            "enum": [
              "Retain",
              "Delete"
            ],
            "default": "Retain"
          }
        }
      }
    }
  },
  Site: {
    "type": "object",
    "required": [
      "spec"
    ],
    "x-kubernetes-validations": [
      {
        "rule": "self.metadata.name.size() <= 49",
        "message": "the name of a site has at most 49 characters, so that previews fit into a host name"
      },
      {
        "rule": "!self.metadata.name.contains('--')",
        "message": "the name of a site has no \"--\", which separates a preview from its site"
      },
      {
        "rule": "!self.metadata.name.contains('.')",
        "message": "the name of a site has no \".\", because it becomes one label of a host name"
      }
    ],
    "properties": {
      "spec": {
        "type": "object",
        "required": [
          "repository"
        ],
        "properties": {
          "repository": {
            "type": "string",
            "minLength": 1,
            "maxLength": 100,
            "x-kubernetes-validations": [
              {
                "rule": "self.matches('^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$')",
                "message": "the name of a repository holds lower-case letters, digits, \"-\" and \".\""
              }
            ]
          },
          "ref": {
            "type": "string",
            "minLength": 1,
            "maxLength": 200,
            "x-kubernetes-validations": [
              {
                "rule": "self.matches('^[A-Za-z0-9_][A-Za-z0-9._/+@=-]*$') && !self.matches('[.][.]|//')",
                "message": "a ref is the name of a branch or tag"
              }
            ]
          },
          "directory": {
            "type": "string",
            "maxLength": 500,
            "x-kubernetes-validations": [
              {
                "rule": "!self.startsWith('/') && !self.matches('(^|/)[.][.]?(/|$)')",
                "message": "a directory is relative to the repository and has no \".\" or \"..\" segments"
              }
            ]
          },
          "hosts": {
            "type": "array",
            "maxItems": 20,
            "default": [],
            "x-kubernetes-list-type": "set",
            "items": {
              "type": "string",
              "minLength": 1,
              "maxLength": 253,
              "x-kubernetes-validations": [
                {
                  "rule": "self.matches('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?([.][a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)+$')",
                  "message": "a host is a lower-case DNS name with a dot, such as docs.example.org, without scheme and port"
                },
                {
                  "rule": "!self.matches('^[0-9.]+$')",
                  "message": "a host is a name, not an address"
                }
              ]
            }
          },
          "tls": {
            "type": "object",
            "required": [
              "secretName"
            ],
            "properties": {
              "secretName": {
                "type": "string",
                "minLength": 1,
                "maxLength": 253
              }
            }
          },
          "notFound": {
            "type": "string",
            "minLength": 1,
            "maxLength": 500,
            "default": "404.html",
            "x-kubernetes-validations": [
              {
                "rule": "!self.startsWith('/') && !self.matches('(^|/)[.][.]?(/|$)')",
                "message": "notFound is a file relative to the directory and has no \".\" or \"..\" segments"
              }
            ]
          },
          "spaFallback": {
            "type": "boolean",
            "default": false
          },
          "access": {
            "type": "string",
            "enum": [
              "repository",
              "public"
            ],
            "default": "repository"
          },
          "replicas": {
            "type": "integer",
            "minimum": 1,
            "maximum": 100,
            "default": 1
          }
        }
      }
    }
  },
  GitPool: {
    "type": "object",
    "x-kubernetes-validations": [
      {
        "rule": "self.metadata.name.size() <= 40 && !self.metadata.name.contains('.')",
        "message": "the name of a pool has at most 40 characters and no \".\", because pods and Services are named after it"
      }
    ],
    "properties": {
      "spec": {
        "type": "object",
        "default": {},
        "x-kubernetes-validations": [
          {
            "rule": "has(oldSelf.storageClassName) == has(self.storageClassName)",
            "message": "storageClassName cannot be added or removed later",
            "fieldPath": ".storageClassName"
          }
        ],
        "properties": {
          "replicas": {
            "type": "integer",
            "format": "int32",
            "minimum": 0,
            "maximum": 1000,
            "default": 1
          },
          "storage": {
            "type": "string",
            "maxLength": 20,
            "default": "20Gi",
            "x-kubernetes-validations": [
              {
                "rule": "self.matches('^[1-9][0-9]*(Ki|Mi|Gi|Ti)?$')",
                "message": "a size is a whole number with Ki, Mi, Gi or Ti, such as 100Gi"
              },
              {
                "rule": "!self.matches('^[1-9][0-9]*(Ki|Mi|Gi|Ti)?$') || quantity(self).compareTo(quantity(oldSelf)) >= 0",
                "message": "storage only grows; it cannot be made smaller"
              }
            ]
          },
          "storageClassName": {
            "type": "string",
            "minLength": 1,
            "maxLength": 253,
            "x-kubernetes-validations": [
              {
                "rule": "self == oldSelf",
                "message": "storageClassName cannot change"
              }
            ]
          },
          "resources": {
            "type": "object",
            "default": {},
            "properties": {
              "requests": {
                "type": "object",
                "maxProperties": 8,
                "additionalProperties": {
                  "x-kubernetes-int-or-string": true,
                  "pattern": "^([0-9]+|[0-9]*[.][0-9]+)(m|k|M|G|T|Ki|Mi|Gi|Ti)?$"
                }
              },
              "limits": {
                "type": "object",
                "maxProperties": 8,
                "additionalProperties": {
                  "x-kubernetes-int-or-string": true,
                  "pattern": "^([0-9]+|[0-9]*[.][0-9]+)(m|k|M|G|T|Ki|Mi|Gi|Ti)?$"
                }
              }
            }
          },
          "maxRepositoriesPerPod": {
            "type": "integer",
            "format": "int32",
            "minimum": 1,
            "maximum": 100000,
            "default": 5000
          },
          "nodeSelector": {
            "type": "object",
            "maxProperties": 20,
            "default": {},
            "additionalProperties": {
              "type": "string",
              "maxLength": 63
            }
          },
          "tolerations": {
            "type": "array",
            "maxItems": 20,
            "default": [],
            "items": {
              "type": "object",
              "properties": {
                "key": {
                  "type": "string",
                  "maxLength": 317
                },
                "operator": {
                  "type": "string",
                  "enum": [
                    "Exists",
                    "Equal"
                  ],
                  "default": "Equal"
                },
                "value": {
                  "type": "string",
                  "maxLength": 63
                },
                "effect": {
                  "type": "string",
                  "enum": [
                    "NoSchedule",
                    "PreferNoSchedule",
                    "NoExecute"
                  ]
                },
                "tolerationSeconds": {
                  "type": "integer",
                  "format": "int64"
                }
              }
            }
          },
          "priorityClassName": {
            "type": "string",
            "minLength": 1,
            "maxLength": 253
          },
          "spread": {
            "type": "string",
            "enum": [
              "node",
              "zone",
              "none"
            ],
            "default": "node"
          }
        }
      }
    }
  },
};
