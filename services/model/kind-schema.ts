// The part of a Kubernetes structural schema that the CRDs of Warren use, as data.
// kinds.generated.ts holds one for each kind; services/catalog checks manifests by them.

/** A CEL rule; `oldSelf` in it makes it a transition rule. */
export type SchemaRule = {
  readonly rule: string;
  readonly message: string;
  readonly fieldPath?: string;
};

export type FieldSchema = {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly additionalProperties?: FieldSchema;
  readonly items?: FieldSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-validations'?: readonly SchemaRule[];
};
