"""How the executor writes a call down: in the spelling of Graph-CoT."""

from graphtalk.calls.ast import Boolean, Call, Expression, Items, NodeRef, Number
from graphtalk.calls.lexer import quote


def spell(expression: Expression) -> str:
    """`NeighbourCheck[RetrieveNode["Zinc"], "causes"]`; a call on another graph has it as `graph=`."""
    if isinstance(expression, Call):
        parts = [spell(argument) for argument in expression.arguments]
        parts += [f"{name}={spell(argument)}" for name, argument in expression.keywords]
        if expression.graph is not None:
            parts.append(f"graph={spell(expression.graph)}")
        return f"{expression.function}[{', '.join(parts)}]"
    if isinstance(expression, Items):
        return "{" + ", ".join(spell(value) for value in expression.values) + "}"
    if isinstance(expression, NodeRef):
        return f"{expression.kind}#{expression.id}"
    if isinstance(expression, Boolean):
        return "true" if expression.value else "false"
    return str(expression.value) if isinstance(expression, Number) else quote(expression.value)
