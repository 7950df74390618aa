/**
 * The parts of the SARIF 2.1.0 schema that the reporter uses, written after the standard: closed
 * objects, required properties, lowest values, allowed words. The output was checked against the
 * official schema too, which is not kept here because of its licence.
 */
const message = {
  type: 'object',
  additionalProperties: false,
  required: ['text'],
  properties: { text: { type: 'string' } },
};

const level = { enum: ['none', 'note', 'warning', 'error'] };
const positive = { type: 'integer', minimum: 1 };

const rule = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: {
    id: { type: 'string' },
    shortDescription: message,
    fullDescription: message,
    help: message,
    defaultConfiguration: {
      type: 'object',
      additionalProperties: false,
      properties: { level },
    },
  },
};

const location = {
  type: 'object',
  additionalProperties: false,
  required: ['physicalLocation'],
  properties: {
    physicalLocation: {
      type: 'object',
      additionalProperties: false,
      required: ['artifactLocation', 'region'],
      properties: {
        artifactLocation: {
          type: 'object',
          additionalProperties: false,
          required: ['uri'],
          properties: { uri: { type: 'string', format: 'uri-reference' } },
        },
        region: {
          type: 'object',
          additionalProperties: false,
          required: ['startLine'],
          properties: {
            startLine: positive,
            startColumn: positive,
            endLine: positive,
            endColumn: positive,
          },
        },
      },
    },
    logicalLocations: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        properties: {
          name: { type: 'string' },
          fullyQualifiedName: { type: 'string' },
          kind: { type: 'string' },
        },
      },
    },
  },
};

const result = {
  type: 'object',
  additionalProperties: false,
  required: ['message'],
  properties: {
    ruleId: { type: 'string' },
    ruleIndex: { type: 'integer', minimum: -1 },
    level,
    message,
    locations: { type: 'array', items: location },
    partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

export const sarifSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['version', 'runs'],
  properties: {
    $schema: { type: 'string', format: 'uri' },
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['tool'],
        properties: {
          tool: {
            type: 'object',
            additionalProperties: false,
            required: ['driver'],
            properties: {
              driver: {
                type: 'object',
                additionalProperties: false,
                required: ['name'],
                properties: {
                  name: { type: 'string' },
                  version: { type: 'string' },
                  rules: { type: 'array', items: rule, uniqueItems: true },
                },
              },
            },
          },
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          results: { type: 'array', items: result },
          invocations: {
            type: 'array',
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['executionSuccessful'],
              properties: { executionSuccessful: { type: 'boolean' } },
            },
          },
        },
      },
    },
  },
};
