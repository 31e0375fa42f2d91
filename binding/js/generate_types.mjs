// TypeScript's types of scene documents, from their JSON schema.
//
// A definition becomes a type of its own. An object that has exactly one of its properties ("minProperties" and
// "maxProperties" are 1) becomes three: the values by kind, the kinds, and their union.

const names = { point: "Vec3", options: "SceneOptions", description: "FigureDescription", degrees_per_metre: "DegreesPerMetre" };
const pascal = (name) => name.replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase());
const nameOf = (definition) => names[definition] ?? `${pascal(definition)}Value`;

const isOneOfItsProperties = (schema) =>
  schema.minProperties === 1 && schema.maxProperties === 1 && schema.properties !== undefined;
const repeated = (text, count) => Array.from({ length: count }, () => text).join(", ");
const inUnion = (text) => (/[|&]/.test(text) && !/^[{[<(]/.test(text) ? `(${text})` : text);

const comment = ({ description }, indent) => (description ? `${indent}/** ${description.replace(/[.]$/, "")}. */\n` : "");

function properties(schema, indent) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties)
    .map(([key, value]) =>
      `${comment(value, indent)}${indent}${key}${required.has(key) ? "" : "?"}: ${typeOf(value, indent)};\n`.replace(
        /: \n/g,
        ":\n",
      ),
    )
    .join("");
}

// On one line where that is short and nothing needs a comment.
function braced(schema, indent) {
  const long = properties(schema, `${indent}  `);
  const short = `{ ${long
    .trim()
    .replace(/;\n\s*/g, "; ")
    .replace(/;$/, "")} }`;
  return short.length < 90 && !/\/\*|\n/.test(short) ? short : `{\n${long}${indent}}`;
}

const union = (types, indent) => {
  const short = types.join(" | ");
  return types.length === 1 || (short.length < 100 && !short.includes("\n"))
    ? short
    : types.map((one) => `\n${indent}  | ${one}`).join("");
};

function arrayType(schema, indent) {
  if (schema.prefixItems) return `[${schema.prefixItems.map((item) => typeOf(item, indent)).join(", ")}]`;
  const item = typeOf(schema.items, indent);
  const { minItems, maxItems } = schema;
  return minItems !== undefined && minItems === maxItems ? `[${repeated(item, minItems)}]` : `${inUnion(item)}[]`;
}

// The types that a value may have.
function alternatives(schema, indent) {
  if (schema.$ref) return [nameOf(schema.$ref.replace("#/$defs/", ""))];
  if ("const" in schema) return [JSON.stringify(schema.const)];
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one));
  if (isOneOfItsProperties(schema))
    return Object.entries(schema.properties).map(([key, value]) => `{ ${key}: ${typeOf(value, indent)} }`);
  if (schema.properties) return [braced(schema, indent)];
  if (schema.anyOf) return schema.anyOf.flatMap((one) => alternatives(one, `${indent}    `));
  if (schema.type === "object") return [`Record<string, ${typeOf(schema.additionalProperties, indent)}>`];
  if (schema.type === "array") return [arrayType(schema, indent)];
  if (schema.type === "integer") return ["number"];
  if (["number", "string", "boolean"].includes(schema.type)) return [schema.type];
  throw new Error(`no type for ${JSON.stringify(schema)}`);
}

const typeOf = (schema, indent) => union(alternatives(schema, indent), indent);

function declaration(name, schema) {
  const plain = name.replace(/Value$/, "");
  if (isOneOfItsProperties(schema))
    return `/** What stands at each key of a ${name}. */
export interface ${plain}Values {
${properties({ ...schema, required: Object.keys(schema.properties) }, "  ")}}
export type ${plain}Kind = keyof ${plain}Values;
${comment(schema, "")}export type ${name} = { [K in ${plain}Kind]: Pick<${plain}Values, K> }[${plain}Kind];
`;
  if (schema.type === "object" && schema.properties)
    return `${comment(schema, "")}export interface ${name} {\n${properties(schema, "  ")}}\n`;
  return `${comment(schema, "")}export type ${name} = ${typeOf(schema, "")};\n`.replace("= \n", "=\n");
}

// The text of src/types.ts.
export function typesOf(schema) {
  const declarations = Object.entries(schema.$defs).map(([name, one]) => declaration(nameOf(name), one));
  return `// Written by generate.mjs from doc/scene.schema.json. Do not edit.

${declarations.join("\n")}
${declaration("SceneValue", schema)}`;
}
