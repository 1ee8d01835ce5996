package parser

import (
	"testing"

	"github.com/sqlc-dev/teesql/ast"
	"github.com/stretchr/testify/require"
)

// CREATE OR ALTER of an inline function is read like its CREATE, and every token stays where it is.
func TestCreateOrAlterInlineFunction(t *testing.T) {
	ignore := func(string) {}
	b, err := Parse("-- ü\nCREATE OR ALTER FUNCTION dbo.f (@a int) RETURNS TABLE AS RETURN (SELECT @a AS a);", ignore)
	require.NoError(t, err)
	require.Len(t, b.Statements, 1)
	n, ok := b.Statements[0].(*ast.CreateOrAlterFunctionStatement)
	require.True(t, ok, "%T", b.Statements[0])
	require.IsType(t, &ast.SelectFunctionReturnType{}, n.ReturnType)
	require.Equal(t, 5, n.StartOffset)
}
