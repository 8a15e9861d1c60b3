mod schemas;
