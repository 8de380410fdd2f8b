// An ESLint rule: numbers of a game's rules come from the server (`$model/constants`), so a page writes none of them down.
// Whole numbers above 2 may stand only where they are about the screen:
//   - in an attribute or a directive of markup that draws: size={28}, style:left="{100 * x}%", animate:flip={{ duration: 400 }};
//   - in a constant whose name says a unit of the screen: const BEAT_MS = 900, const CHART_PX = { width: 640 };
//   - as the delay of a timer, or as 10, 60, 100, 1000: digits, seconds, percents, milliseconds.
const FREE = new Set([0, 1, 2, 10, 60, 100, 1000]);
const UNITS = /(^|_)(MS|SECONDS|PX|DEG|STEPS?|BEATS|ZOOM|SHOWN|KEPT)$/;
const TIMERS = new Set(['setTimeout', 'setInterval', 'later', 'toFixed']);

const nameOf = (node) => node?.key?.name?.name ?? node?.key?.name ?? node?.name?.name ?? '';

/** Whether something is counted in a unit of the screen, or is the status of an answer. */
function hasUnit(node) {
    if (node.type === 'BinaryExpression') return hasUnit(node.left) || hasUnit(node.right);
    if (node.type === 'MemberExpression' && hasUnit(node.object)) return true;
    const name = String(node.property?.name ?? node.name ?? '');
    return UNITS.test(name.toUpperCase()) || name === 'status';
}

/** Whether this literal, seen from one of the nodes around it, is about the screen. */
function aboutTheScreen(node, child) {
    switch (node.type) {
        case 'VariableDeclarator':
            return node.id.type === 'Identifier' && UNITS.test(node.id.name);
        case 'PropertyDefinition':
            return UNITS.test(nameOf(node));
        case 'BinaryExpression': // WIDTH_PX - 8, 28 * px, answer.status === 404
            return [node.left, node.right].some((side) => side !== child && hasUnit(side));
        case 'AssignmentPattern': // size = 32
            return node.left.type === 'Identifier' && node.left.name === 'size';
        case 'CallExpression': {
            const called = node.callee.property?.name ?? node.callee.name;
            return TIMERS.has(called) && node.arguments.includes(child);
        }
        case 'SvelteStyleDirective':
        case 'SvelteDirective':
            return true;
        case 'SvelteAttribute':
            return !['min', 'max', 'maxlength', 'disabled', 'hidden'].includes(nameOf(node));
        default:
            return false;
    }
}

/** @type {import('eslint').Rule.RuleModule} */
export default {
    meta: {
        type: 'problem',
        docs: { description: 'numbers of the rules come from the server' },
        messages: {
            number: '{{value}} looks like a number of the rules: take it from the game’s constants, or name the unit of the screen that it counts.',
        },
        schema: [],
    },
    create: (context) => ({
        Literal(node) {
            if (
                typeof node.value !== 'number' ||
                !Number.isInteger(node.value) ||
                FREE.has(node.value)
            )
                return;
            for (let child = node; child.parent; child = child.parent)
                if (aboutTheScreen(child.parent, child)) return;
            context.report({ node, messageId: 'number', data: { value: String(node.value) } });
        },
    }),
};
