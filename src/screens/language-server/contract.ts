/** The steps to a value in a document: names of properties, and indexes of items. */
export type Path = readonly (string | number)[];

/** What the contract says of a value: the keywords of JSON Schema that it uses. */
export interface ContractNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, ContractNode>>;
  readonly additionalProperties?: boolean | ContractNode;
  readonly items?: ContractNode;
  readonly required?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minProperties?: number;
}

/** The contract of screen definitions, by the places of a document. */
export interface Contract {
  /** Undefined where the contract says nothing. */
  at(path: Path): ContractNode | undefined;
  /** What it says of a property of an object, or of an item of a list. */
  inside(node: ContractNode, step: string | number): ContractNode | undefined;
  /** Whether the object around a property has to have it. */
  requires(path: Path): boolean;
}

/** Reads the schema of screen definitions. */
export function createContract(
  schema: ContractNode & { readonly definitions?: Readonly<Record<string, ContractNode>> },
): Contract {
  const resolve = (node: ContractNode | undefined): ContractNode | undefined => {
    const name = node?.$ref?.split('/').at(-1);
    return name === undefined ? node : schema.definitions?.[name];
  };
  const inside: Contract['inside'] = ({ properties = {}, additionalProperties, items }, step) => {
    if (typeof step === 'number') return resolve(items);
    if (Object.hasOwn(properties, step)) return resolve(properties[step]);
    return typeof additionalProperties === 'object' ? resolve(additionalProperties) : undefined;
  };
  const at = (path: Path): ContractNode | undefined =>
    path.reduce<ContractNode | undefined>((node, step) => node && inside(node, step), schema);
  return {
    at,
    inside,
    requires(path) {
      const name = path.at(-1);
      return typeof name === 'string' && at(path.slice(0, -1))?.required?.includes(name) === true;
    },
  };
}

/** Whether the contract keeps a property for older definitions alone. */
export function isDeprecated({ title = '' }: ContractNode): boolean {
  return title.endsWith('(deprecated)');
}

/** Whether a value of this kind (`string`, `object`, …) may stand in a place. */
export function allows({ type }: ContractNode, kind: string): boolean {
  return type === kind || (Array.isArray(type) && type.includes(kind));
}
