-- An order has several items and a number. Orders of earlier, unreleased versions are refused and not converted.
do $$
begin
  if exists (select from msgsite.orders where record -> 'items' is null) then
    raise exception 'The orders in this database were written by an unreleased version of msgsite.'
      using hint = 'Use the msgsite that wrote them, or another database.';
  end if;
end
$$;
