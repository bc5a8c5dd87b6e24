// In: preprocessed C. Out: its syntax as plain data. The one idea: tree-sitter's tree is read once, here; every node
// that is not C as `syntax.ts` knows it becomes `unknown` with a sentence, so that the place that needs it can refuse.
// It does not look up names, except typedefs, which C needs to parse.
import { Language, Parser, type Node } from 'web-tree-sitter'
import { fail, InternalError, type Span } from '../../../base/index.ts'
import {
  areBits,
  followable,
  notNumber,
  scalarNames,
  sizedType,
  unknownType,
  withExtent,
  withShape,
} from './declarators.ts'
import { literalType } from './constants.ts'
import { characterLiteral, numberLiteral, stringLiteral } from './literals.ts'
import { syntaxError, syntaxHint } from './mistakes.ts'
import type { Preprocessed } from './preprocess.ts'
import { allocators } from '../c-to-c/pointers-to-indices.ts'
import { sizeOfStruct } from '../c-to-c/structures/sroa.ts'
import type { CExpr, CFunction, CScalar, CStmt, CStruct, CUnit, Declarator } from './syntax.ts'

/**
 * The parser's two WebAssembly files; the caller reads or fetches them. `runtime` may be left out where web-tree-sitter
 * finds its own (Node).
 */
export interface ParserFiles {
  /** `web-tree-sitter.wasm` */
  readonly runtime?: Uint8Array
  /** `tree-sitter-c.wasm` */
  readonly grammar: Uint8Array
}

let loaded: Promise<Language> | undefined

/** Loads the parser once per process; later calls need no files. */
export async function loadParser(files?: ParserFiles): Promise<void> {
  await languageOf(files)
}

function languageOf(files?: ParserFiles): Promise<Language> {
  if (loaded) return loaded
  if (!files) throw new InternalError('frontend/c', 'the C parser is not loaded: give `wasm` once')
  loaded = Parser.init(files.runtime ? { wasmBinary: files.runtime } : undefined).then(() =>
    Language.load(files.grammar),
  )
  return loaded
}

/** Passes are recursive: deeper code would overflow the stack. */
const maxDepth = 400
/** Places that a list of initial values may name. */
const longestList = 65536

/** Parses a preprocessed file. Throws a `DiagnosticError` at the first syntax error outside `ignoreIn`'s functions. */
export async function parseUnit(source: Preprocessed, files?: ParserFiles): Promise<CUnit> {
  const language = await languageOf(files)
  const parser = new Parser()
  parser.setLanguage(language)
  const tree = parser.parse(source.text)
  if (!tree) throw new InternalError('frontend/c', 'the parser gave no tree')
  try {
    return new Reader(source).unit(tree.rootNode)
  } finally {
    tree.delete()
    parser.delete()
  }
}

/** The tag of the structure that a typedef names. */
const tagOf = (definition: Node): string | undefined => {
  const type = definition.childForFieldName('type')
  return type?.type === 'struct_specifier' || type?.type === 'union_specifier'
    ? type.childForFieldName('name')?.text
    : undefined
}

/** The string that a value of an array of characters is, also in braces. */
function stringIn(value: Node): Node | undefined {
  const [only, ...others] = value.type === 'initializer_list' ? value.namedChildren : [value]
  return only?.type === 'string_literal' && others.length === 0 ? only : undefined
}

/** Calls whose value is their first argument, about which they only tell the compiler something. */
const passing: ReadonlySet<string> = new Set(['__builtin_expect', '__builtin_assume_aligned', 'likely', 'unlikely'])

/** What `pointer` points to; of an address the thing itself. */
const derefOf = (pointer: CExpr, at: Span): CExpr =>
  pointer.kind === 'address' ? pointer.arg : { kind: 'deref', arg: pointer, at }

class Reader {
  private readonly source: Preprocessed
  private readonly typedefs = new Map<string, CScalar | CStruct>()
  /** Names of types that are arrays or pointers. */
  private readonly shapes = new Map<string, Declarator>()
  /** By tag. */
  private readonly structs = new Map<string, CStruct>()
  /** Typedefs of structures that the text has not declared the members of. */
  private incomplete: readonly Node[] = []
  private depth = 0

  constructor(source: Preprocessed) {
    this.source = source
  }

  private at(node: Node): Span {
    return this.source.at(node.startIndex)
  }

  private nested<T>(node: Node, body: () => T): T {
    if (++this.depth > maxDepth) fail('c.depth', `code is nested more than ${maxDepth} deep`, this.at(node))
    const result = body()
    this.depth--
    return result
  }

  unit(root: Node): CUnit {
    const functions: CFunction[] = [],
      enums: CUnit['enums'][number][] = [],
      globals: CUnit['globals'][number][] = []
    for (const node of root.namedChildren) {
      if (node.type === 'function_definition') functions.push(this.function(node))
      else this.refuseErrors(node)
      if (node.type === 'type_definition') this.typedef(node)
      if (node.type === 'struct_specifier' || node.type === 'union_specifier') this.structOf(node)
      this.completeTypedefs()
      this.enumerators(node, enums)
      if (node.type === 'declaration') {
        const isConst = node.namedChildren.some((c) => c.type === 'type_qualifier' && c.text === 'const')
        globals.push(
          ...this.declarators(node)
            .filter((d) => !d.unknown)
            .map((d) => ({ ...d, isConst })),
        )
      }
    }
    if (functions.length === 0 && root.hasError) this.refuseErrors(root)
    return { functions, enums, globals }
  }

  /** Reports the first syntax error in `node`, in one sentence. */
  private refuseErrors(node: Node): void {
    if (!node.hasError) return
    const { what, at } = this.syntaxError(node)
    fail('c.syntax', what, at, syntaxHint)
  }

  private syntaxError(node: Node): { readonly what: string; readonly at: Span } {
    const { what, offset } = syntaxError(node)
    return { what, at: this.source.at(offset) }
  }

  /** Reads the typedefs again whose structure has come by now (`typedef struct s *p; struct s { … };`). */
  private completeTypedefs(): void {
    const isKnown = (node: Node): boolean => this.structs.has(tagOf(node) ?? '')
    for (const node of this.incomplete.filter(isKnown)) this.typedef(node)
    this.incomplete = this.incomplete.filter((node) => !isKnown(node))
  }

  private typedef(node: Node): void {
    const type = node.childForFieldName('type'),
      tag = tagOf(node)
    if (tag !== undefined && !type?.childForFieldName('body') && !this.structs.has(tag))
      this.incomplete = [...this.incomplete, node]
    for (const name of node.childrenForFieldName('declarator')) {
      if (!name || !type) continue
      const of = this.structOf(type, name.type === 'type_identifier' ? name.text : undefined) ?? this.scalar(type),
        shape = type.type === 'type_identifier' ? this.shapes.get(type.text) : undefined
      if (name.type === 'type_identifier' && of) this.typedefs.set(name.text, of)
      if (name.type === 'type_identifier' && !shape) continue
      const d = this.typed(this.declarator(name, of, []), node)
      this.shapes.set(d.name, d)
    }
  }

  /** The structure that a type node names or declares. */
  private structOf(node: Node, alias?: string): CStruct | undefined {
    if (node.type === 'type_descriptor') {
      const inner = node.childForFieldName('type')
      return inner && !node.childForFieldName('declarator') ? this.structOf(inner) : undefined
    }
    if (node.type === 'type_identifier') {
      const known = this.typedefs.get(node.text)
      return typeof known === 'object' ? known : undefined
    }
    const isUnion = node.type === 'union_specifier'
    if (node.type !== 'struct_specifier' && !isUnion) return undefined
    const tag = node.childForFieldName('name')?.text,
      body = node.childForFieldName('body')
    if (!body) return tag === undefined ? undefined : this.structs.get(tag)
    const members = body.namedChildren
      .filter((c) => c.type === 'field_declaration')
      .flatMap((c) =>
        this.declarators(c).map((d) =>
          c.namedChildren.some((x) => x.type === 'bitfield_clause') ? { ...d, unknown: 'it is a bit field' } : d,
        ),
      )
    if (isUnion && !areBits(members)) return undefined
    const made: CStruct = {
      name: alias ?? tag ?? (isUnion ? 'this union' : 'this struct'),
      members,
      ...(isUnion && { isUnion }),
    }
    if (tag !== undefined) this.structs.set(tag, made)
    return made
  }

  private enumerators(node: Node, into: CUnit['enums'][number][]): void {
    for (const list of node.descendantsOfType('enumerator_list')) {
      if (!list) continue
      list.namedChildren
        .filter((c) => c.type === 'enumerator')
        .forEach((c, i) => {
          const value = c.childForFieldName('value')
          into.push({
            name: c.childForFieldName('name')?.text ?? '',
            value: value ? this.expr(value) : null,
            at: this.at(c),
            first: i === 0,
          })
        })
    }
  }

  private function(node: Node): CFunction {
    const body = node.childForFieldName('body'),
      type = node.childForFieldName('type')
    let declarator = node.childForFieldName('declarator')
    const isPointer = declarator?.type === 'pointer_declarator'
    while (declarator && declarator.type !== 'function_declarator')
      declarator = declarator.childForFieldName('declarator')
    const name = declarator?.childForFieldName('declarator')?.text ?? ''
    const listed = declarator?.childForFieldName('parameters')?.namedChildren ?? [],
      behind = node.namedChildren.filter((c) => c.type === 'declaration').flatMap((c) => this.declarators(c))
    const parameters = listed.flatMap((c): Declarator[] =>
      c.type === 'parameter_declaration'
        ? [this.parameter(c)]
        : c.type === 'identifier'
          ? behind.filter((d) => d.name === c.text)
          : [],
    ) // C before 1989 declares them behind
    const at = declarator ? this.at(declarator) : this.at(node)
    if (node.hasError && declarator?.hasError) this.refuseErrors(declarator)
    const lowered: CStmt = body?.hasError ? this.brokenBody(body) : body ? this.statement(body) : { kind: 'empty', at }
    const struct = type ? this.structOf(type) : undefined
    return {
      name,
      returns: (type && this.scalar(type)) ?? 'void',
      ...(struct && { returnsStruct: struct }),
      ...(isPointer && { returnsPointer: true }),
      parameters,
      body: lowered.kind === 'block' ? lowered : { kind: 'block', body: [lowered], at },
      at,
    }
  }

  /**
   * A body with a syntax error becomes one unknown statement that carries the message: it matters only if the function
   * is used.
   */
  private brokenBody(body: Node): CStmt {
    const { what, at } = this.syntaxError(body)
    return { kind: 'unknown', what: `syntax: ${what}`, at, hint: syntaxHint }
  }

  // -------------------------------------------------------------------------------------------------- declarations

  /** The scalar that a type node names; undefined for structs, unions and unknown names. */
  private scalar(node: Node): CScalar | undefined {
    if (node.type === 'type_descriptor') {
      const inner = node.childForFieldName('type')
      return inner && !node.childForFieldName('declarator') ? this.scalar(inner) : undefined
    }
    if (node.type === 'enum_specifier') return 'i32'
    if (node.type === 'type_identifier') {
      const known = this.typedefs.get(node.text)
      return typeof known === 'object' ? undefined : (known ?? scalarNames[node.text])
    }
    if (node.type === 'primitive_type') return scalarNames[node.text]
    return node.type === 'sized_type_specifier' ? sizedType(node.text) : undefined
  }

  private parameter(node: Node): Declarator {
    const declarator = node.childForFieldName('declarator')
    const type = this.typeOf(node)
    if (!declarator) return { name: '', type: typeof type === 'string' ? type : 'void', extents: [], at: this.at(node) }
    return this.typed(this.declarator(declarator, type, []), node)
  }

  /** The declarator with what its type's name stands for, or with the reason why that is no type. */
  private typed(d: Declarator, node: Node): Declarator {
    const type = node.childForFieldName('type'),
      shape = type?.type === 'type_identifier' ? this.shapes.get(type.text) : undefined
    if (shape) {
      const { unknown: _, hint: __, ...known } = d
      return withShape(
        shape.type === 'void' && !shape.struct
          ? d
          : { ...known, type: shape.type, ...(shape.struct && { struct: shape.struct }) },
        shape,
      )
    }
    return d.unknown === notNumber && type ? { ...d, ...unknownType(type.text) } : d
  }

  private typeOf(node: Node): CScalar | CStruct | undefined {
    const type = node.childForFieldName('type')
    return type ? (this.structOf(type) ?? this.scalar(type)) : undefined
  }

  private declarators(node: Node): Declarator[] {
    const type = this.typeOf(node),
      isStatic = node.namedChildren.some((c) => c.type === 'storage_class_specifier' && c.text === 'static')
    return node
      .childrenForFieldName('declarator')
      .filter((c) => c !== null)
      .map((c) => ({ ...this.typed(this.declarator(c, type, []), node), ...(isStatic && { isStatic }) }))
  }

  private declarator(node: Node, type: CScalar | CStruct | undefined, extents: readonly (CExpr | null)[]): Declarator {
    const inner =
      node.childForFieldName('declarator') ??
      node.namedChildren.find(
        (c) => c.type.endsWith('declarator') || c.type === 'identifier' || c.type === 'type_identifier',
      ) ??
      null
    switch (node.type) {
      case 'identifier':
      case 'field_identifier':
      case 'type_identifier': {
        const d: Declarator = {
          name: node.text,
          type: typeof type === 'string' ? type : 'void',
          extents,
          at: this.at(node),
          ...(typeof type === 'object' && { struct: type }),
        }
        return type === undefined ? { ...d, unknown: notNumber } : d
      }
      case 'init_declarator': {
        const value = node.childForFieldName('value')
        const d = this.declarator(inner!, type, extents)
        if (!value) return d
        const string = d.extents.length === 1 ? stringIn(value) : undefined
        return withExtent({
          ...d,
          initial: string ? stringLiteral(string.text, this.at(string)) : this.expr(value),
        })
      }
      case 'array_declarator': {
        const size = node.childForFieldName('size')
        return this.declarator(inner!, type, [size && size.type !== '*' ? this.expr(size) : null, ...extents])
      }
      case 'pointer_declarator': {
        return followable({ ...this.declarator(inner!, type, [null, ...extents]), pointer: true })
      }
      case 'parenthesized_declarator':
        return this.declarator(inner!, type, extents)
      case 'function_declarator':
        return {
          name: /\w+/.exec(inner?.text ?? node.text)?.[0] ?? node.text,
          type: 'void',
          extents: [],
          at: this.at(node),
          unknown: 'it is a function, or points to one',
          hint: 'call functions of the file by their names',
        }
      default:
        return {
          name: inner?.text ?? node.text,
          type: 'void',
          extents: [],
          at: this.at(node),
          unknown: 'this kind of declaration is not supported',
        }
    }
  }

  // ---------------------------------------------------------------------------------------------------- statements

  private statement(node: Node): CStmt {
    return this.nested(node, () => this.statementOf(node))
  }

  private statementOf(node: Node): CStmt {
    const at = this.at(node)
    switch (node.type) {
      case 'compound_statement':
        return { kind: 'block', body: node.namedChildren.map((c) => this.statement(c)), at }
      case 'declaration':
        return { kind: 'declare', declarators: this.declarators(node), at }
      case 'expression_statement': {
        const e = node.namedChildren[0]
        return e ? { kind: 'expr', expr: this.expr(e), at } : { kind: 'empty', at }
      }
      case 'for_statement':
        return this.forStatement(node)
      case 'if_statement':
        return this.ifStatement(node)
      case 'while_statement':
        return {
          kind: 'while',
          condition: this.field(node, 'condition'),
          body: this.statement(node.childForFieldName('body')!),
          at,
        }
      case 'do_statement':
        return {
          kind: 'do',
          condition: this.field(node, 'condition'),
          body: this.statement(node.childForFieldName('body')!),
          at,
        }
      case 'switch_statement':
        return this.switchStatement(node)
      case 'break_statement':
        return { kind: 'break', at }
      case 'continue_statement':
        return { kind: 'continue', at }
      case 'return_statement': {
        const e = node.namedChildren[0]
        return { kind: 'return', value: e ? this.expr(e) : null, at }
      }
      case 'preproc_call':
        return { kind: 'pragma', text: node.text.includes('endscop') ? 'endscop' : 'scop', at }
      case 'type_definition':
        this.typedef(node)
        return { kind: 'empty', at }
      case 'struct_specifier':
      case 'union_specifier':
        this.structOf(node)
        return { kind: 'empty', at }
      case 'enum_specifier':
        return { kind: 'empty', at } // its names are the file's
      case 'attributed_statement': {
        const last = node.namedChildren[node.namedChildren.length - 1]
        return last ? this.statement(last) : { kind: 'empty', at }
      }
      case 'goto_statement':
        return { kind: 'unknown', what: 'goto', goto: node.childForFieldName('label')?.text ?? '', at }
      case 'labeled_statement':
        return {
          kind: 'block',
          mark: node.childForFieldName('label')?.text ?? '',
          body: node.namedChildren.slice(1).map((c) => this.statement(c)),
          at,
        }
      case 'else_clause':
        return this.statement(node.namedChildren[node.namedChildren.length - 1]!)
      case 'case_statement':
        return { kind: 'unknown', what: 'a case outside of the braces of its switch', at }
      default:
        return { kind: 'unknown', what: node.type.replaceAll('_', ' '), at }
    }
  }

  private forStatement(node: Node): CStmt {
    const part = (name: string): Node | null => node.childForFieldName(name)
    const init = part('initializer'),
      condition = part('condition'),
      update = part('update'),
      body = part('body')
    const at = this.at(node)
    const first: CStmt | null = !init
      ? null
      : init.type === 'declaration'
        ? this.statement(init)
        : { kind: 'expr', expr: this.expr(init), at: this.at(init) }
    return {
      kind: 'for',
      init: first,
      condition: condition && this.expr(condition),
      update: update && this.expr(update),
      body: this.statement(body!),
      at,
    }
  }

  private switchStatement(node: Node): CStmt {
    const cases: { labels: (CExpr | null)[]; body: CStmt[] }[] = []
    const value = this.field(node, 'condition'),
      at = this.at(node)
    for (const c of node.childForFieldName('body')?.namedChildren ?? []) {
      if (c.type !== 'case_statement') {
        cases.push({ labels: [], body: [this.statement(c)] })
        continue
      }
      const label = c.childForFieldName('value')
      const body = c.namedChildren.filter((x) => x.id !== label?.id).map((x) => this.statement(x))
      const last = cases[cases.length - 1]
      const here = label ? this.expr(label) : null
      if (last?.body.length === 0) {
        last.labels.push(here)
        last.body.push(...body)
      } else cases.push({ labels: [here], body })
    }
    return { kind: 'switch', value, cases, at }
  }

  private ifStatement(node: Node): CStmt {
    const other = node.childForFieldName('alternative')
    return {
      kind: 'if',
      condition: this.expr(node.childForFieldName('condition')!),
      then: this.statement(node.childForFieldName('consequence')!),
      else: other && this.statement(other),
      at: this.at(node),
    }
  }

  // --------------------------------------------------------------------------------------------------- expressions

  private expr(node: Node): CExpr {
    return this.nested(node, () => this.exprOf(node))
  }

  private field(node: Node, name: string): CExpr {
    const child = node.childForFieldName(name)
    return child ? this.expr(child) : { kind: 'unknown', what: `a missing ${name}`, at: this.at(node) }
  }

  private exprOf(node: Node): CExpr {
    const at = this.at(node)
    switch (node.type) {
      case 'number_literal':
        return numberLiteral(node.text, at, this.source.macroAt(node.startIndex))
      case 'identifier':
        return { kind: 'name', name: node.text, at }
      case 'null':
        return { kind: 'name', name: 'NULL', at }
      case 'true':
      case 'false':
        return { kind: 'number', value: node.type === 'true' ? 1 : 0, type: 'i32', at }
      case 'char_literal':
        return characterLiteral(node.text, at)
      case 'parenthesized_expression':
        return this.expr(node.namedChildren[0]!)
      case 'subscript_expression':
        return {
          kind: 'index',
          base: this.field(node, 'argument'),
          index: this.field(node, 'index'),
          at: this.at(node),
        }
      case 'pointer_expression':
        if (node.child(0)?.text === '*') return derefOf(this.field(node, 'argument'), at)
        return { kind: 'address', arg: this.field(node, 'argument'), at }
      case 'unary_expression':
        return {
          kind: 'unary',
          op: node.child(0)!.text as '-' | '+' | '!' | '~',
          arg: this.field(node, 'argument'),
          at,
        } // C has no other
      case 'binary_expression':
        return {
          kind: 'binary',
          op: node.childForFieldName('operator')?.text ?? '',
          left: this.field(node, 'left'),
          right: this.field(node, 'right'),
          at,
        }
      case 'assignment_expression':
        return {
          kind: 'assign',
          op: (node.childForFieldName('operator')?.text ?? '=').slice(0, -1),
          left: this.field(node, 'left'),
          right: this.field(node, 'right'),
          at,
        }
      case 'update_expression': {
        const sign = node.childForFieldName('operator')
        return {
          kind: 'update',
          op: sign?.text === '--' ? '--' : '++',
          arg: this.field(node, 'argument'),
          at,
          ...(sign?.startIndex === node.startIndex && { prefix: true as const }),
        }
      }
      case 'conditional_expression':
        return {
          kind: 'choose',
          condition: this.field(node, 'condition'),
          then: this.field(node, 'consequence'),
          else: this.field(node, 'alternative'),
          at,
        }
      case 'comma_expression':
        return { kind: 'comma', left: this.field(node, 'left'), right: this.field(node, 'right'), at }
      case 'initializer_list':
        return this.list(node)
      case 'compound_literal_expression':
        return this.literal(node)
      case 'call_expression':
        return this.call(node)
      case 'cast_expression':
        return this.cast(node)
      case 'sizeof_expression':
        return this.sizeof(node)
      case 'field_expression': {
        const base = this.field(node, 'argument')
        return {
          kind: 'member',
          base: node.childForFieldName('operator')?.text === '->' ? derefOf(base, at) : base,
          name: node.childForFieldName('field')?.text ?? '',
          at,
        }
      }
      case 'string_literal':
        return { kind: 'unknown', what: 'a string', at, hint: 'give it to an array of char, as in char a[] = "…"' }
      default:
        return { kind: 'unknown', what: node.type.replaceAll('_', ' '), at }
    }
  }

  /** `(struct p){ x, y }`, or `(int){ x }`. */
  private literal(node: Node): CExpr {
    const type = node.childForFieldName('type'),
      value = node.childForFieldName('value'),
      at = this.at(node)
    const list = value && this.list(value)
    if (type && list && this.structOf(type)) return list
    const scalar = type && this.scalar(type),
      [only, more] = list?.kind === 'list' ? list.items : []
    if (scalar)
      return only && !more
        ? { kind: 'cast', type: scalar, arg: only, at }
        : { kind: 'unknown', what: 'this value in braces', at }
    const of = type?.childForFieldName('type'),
      shape = type?.childForFieldName('declarator'),
      element = of && (this.structOf(of) ?? this.scalar(of))
    if (list?.kind !== 'list' || !element || shape?.type !== 'abstract_array_declarator')
      return { kind: 'unknown', what: 'this value in braces', at }
    const extents: (CExpr | null)[] = []
    for (let s: Node | null = shape; s?.type === 'abstract_array_declarator'; s = s.childForFieldName('declarator')) {
      const size = s.childForFieldName('size')
      extents.unshift(size && this.expr(size))
    }
    return {
      ...list,
      of: withExtent({
        name: '',
        type: typeof element === 'string' ? element : 'void',
        ...(typeof element === 'object' && { struct: element }),
        extents,
        initial: list,
        at,
      }),
    }
  }

  /** Values in braces; `[3] = x` goes on from that place. */
  private list(node: Node): CExpr {
    const items: CExpr[] = [],
      members: (string | undefined)[] = []
    let next = 0
    for (const c of node.namedChildren.filter((x) => x.type !== 'comment')) {
      const at = this.at(c),
        [place, ...values] = c.type === 'initializer_pair' ? c.namedChildren : [undefined, c]
      if (place?.type === 'field_designator' && values.length === 1) {
        members[items.length] = place.text.replace(/^\.\s*/, '')
        next = items.push(this.expr(values[0]!)) // it has one
        continue
      }
      const index =
        // it has brackets
        place?.type === 'subscript_designator' && values.length === 1 ? this.expr(place.namedChildren[0]!) : undefined
      if (place && (index?.kind !== 'number' || index.value > longestList))
        return {
          kind: 'unknown',
          what: `the place ${place.text} in a list of values`,
          at,
          hint: 'give the values in order, or places as numbers ([3] = x)',
        }
      if (index?.kind === 'number') next = index.value
      while (items.length < next) items.push({ kind: 'number', value: 0, type: 'i32', at })
      const value = values[0]! // a pair has one
      items[next++] = value.type === 'string_literal' ? stringLiteral(value.text, this.at(value)) : this.expr(value)
    }
    return {
      kind: 'list',
      items,
      at: this.at(node),
      ...(members.length > 0 && { members: items.map((_, i) => members[i]) }),
    }
  }

  private call(node: Node): CExpr {
    const target = node.childForFieldName('function'),
      at = this.at(node)
    const args = (node.childForFieldName('arguments')?.namedChildren ?? []).map((c) => this.expr(c))
    if (target?.type === 'parenthesized_expression') {
      const type = this.typedefs.get(target.text.slice(1, -1).trim())
      if (typeof type === 'string' && args.length === 1) return { kind: 'cast', type, arg: args[0]!, at }
    }
    if (passing.has(target?.text ?? '') && args[0]) return args[0]
    const literal = args.length === 1 && args[0]?.kind === 'number' ? literalType(target?.text ?? '') : undefined
    if (literal && args[0]?.kind === 'number') return { ...args[0], type: literal }
    if (target?.type !== 'identifier') return { kind: 'unknown', what: 'a call through an expression', at }
    return { kind: 'call', name: target.text, args, at }
  }

  private cast(node: Node): CExpr {
    const type = node.childForFieldName('type'),
      at = this.at(node)
    const scalar = type && this.scalar(type)
    const call = node.childForFieldName('value')
    if (!scalar && call?.type === 'call_expression' && allocators.has(call.childForFieldName('function')?.text ?? ''))
      return this.expr(call)
    if (scalar) return { kind: 'cast', type: scalar, arg: this.field(node, 'value'), at }
    const element = type?.childForFieldName('type'),
      shape = type?.childForFieldName('declarator'),
      pointed = element && this.scalar(element),
      pointer = shape && this.pointed(shape)
    if (pointed && pointer) return { kind: 'cast', type: pointed, pointer, arg: this.field(node, 'value'), at }
    return {
      kind: 'unknown',
      what: `the cast to ${type?.text ?? 'a type'}`,
      hint: 'casts go to numbers, and to pointers to numbers or to rows of them',
      at,
    }
  }

  /** Extents of what a cast's pointer points into: `(*)[64]` is `[][64]`; undefined of pointers to pointers. */
  private pointed(shape: Node): (CExpr | null)[] | undefined {
    const inner =
      shape.childForFieldName('declarator') ?? shape.namedChildren.find((c) => c.type.startsWith('abstract_')) ?? null
    switch (shape.type) {
      case 'abstract_pointer_declarator':
        return inner ? undefined : [null]
      case 'abstract_parenthesized_declarator':
        return inner ? this.pointed(inner) : undefined
      case 'abstract_array_declarator': {
        const size = shape.childForFieldName('size'),
          outer = inner && size && this.pointed(inner)
        return outer ? [...outer, this.expr(size)] : undefined
      }
      default:
        return undefined
    }
  }

  private sizeof(node: Node): CExpr {
    const at = this.at(node),
      type = node.childForFieldName('type')
    const scalar = type
      ? this.scalar(type)
      : this.typedefs.get(node.childForFieldName('value')?.text.replace(/[()\s]/g, '') ?? '')
    if (typeof scalar === 'string') return { kind: 'sizeof', type: scalar, at }
    const struct = type && this.structOf(type),
      value = node.childForFieldName('value')
    if (struct) {
      const members = sizeOfStruct(struct)
      if (members)
        return members
          .map((m): CExpr => ({ kind: 'sizeof', type: m, at }))
          .reduce((left, right): CExpr => ({ kind: 'binary', op: '+', left, right, at }))
    }
    return value
      ? { kind: 'sizeof', type: 'void', of: this.expr(value), at }
      : { kind: 'unknown', what: 'sizeof of this type', hint: 'use sizeof of a number type', at }
  }
}
